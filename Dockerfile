# The program in a container: docker build -t monteverde . && docker run --rm -p 127.0.0.1:8310:8310 monteverde
# See docs/install.md.

FROM debian:trixie-slim AS build
RUN apt-get update && \
    apt-get install -y --no-install-recommends ca-certificates gcc libc6-dev rustup && \
    rm -rf /var/lib/apt/lists/*
# As old as it may be, so that the image shows that it suffices.
RUN rustup toolchain install 1.95 --profile minimal && rustup default 1.95
WORKDIR /source
COPY . .
RUN cargo install --path crates/cli --locked --root /installed

FROM debian:trixie-slim
RUN useradd --create-home --uid 1000 player && mkdir /data && chown player /data
COPY --from=build /installed/bin/monteverde /usr/local/bin/monteverde
COPY --from=build /source/LICENSE-MIT /source/LICENSE-APACHE /usr/share/doc/monteverde/
USER player
WORKDIR /data
VOLUME /data
EXPOSE 8310
ENTRYPOINT ["monteverde"]
# Open to the network of the container alone; what of it the host publishes is the host's choice.
CMD ["serve", "--host", "0.0.0.0", "--port", "8310", "--lab", "/data"]
