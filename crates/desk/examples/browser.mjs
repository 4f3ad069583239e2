// Runs the example of this name without a browser: node browser.mjs PATH/TO/browser.wasm

import { readFile } from 'node:fs/promises';

const module = new WebAssembly.Module(await readFile(process.argv[2]));
// What readers of files on disk would ask of a C library; nothing may call it here.
const env = {};
for (const { name } of WebAssembly.Module.imports(module)) {
  env[name] = () => {
    throw new Error(`${name} is called, which no browser has`);
  };
}
const instance = new WebAssembly.Instance(module, { env });
instance.exports.main(0, 0);
console.log('every game was searched without threads, files or a clock of the system');
