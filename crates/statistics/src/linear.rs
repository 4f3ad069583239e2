//! The little linear algebra that ratings and the tuner need.

/// A square matrix, row by row.
#[derive(Clone, PartialEq, Debug)]
pub struct Matrix {
    size: usize,
    cells: Vec<f64>,
}

impl Matrix {
    /// All zeros, with so many rows and columns.
    pub fn zero(size: usize) -> Matrix {
        Matrix { size, cells: vec![0.0; size * size] }
    }

    /// How many rows and columns it has.
    pub fn size(&self) -> usize {
        self.size
    }

    /// A row.
    pub fn row(&self, i: usize) -> &[f64] {
        &self.cells[i * self.size..(i + 1) * self.size]
    }

    /// The number in a row and a column.
    pub fn at(&self, i: usize, j: usize) -> f64 {
        self.cells[i * self.size + j]
    }

    /// The number in a row and a column, to be changed.
    pub fn at_mut(&mut self, i: usize, j: usize) -> &mut f64 {
        &mut self.cells[i * self.size + j]
    }

    /// Multiplies every number.
    pub fn scale(&mut self, factor: f64) {
        self.cells.iter_mut().for_each(|cell| *cell *= factor);
    }
}

/// The lower triangle L with `L L^T` = a symmetric positive definite matrix.
#[derive(Clone, PartialEq, Debug)]
pub struct Cholesky {
    lower: Matrix,
}

impl Cholesky {
    /// `None` if the matrix is not positive definite to working precision.
    pub fn new(mut matrix: Matrix) -> Option<Cholesky> {
        for i in 0..matrix.size {
            for j in 0..=i {
                let dot: f64 =
                    matrix.row(i)[..j].iter().zip(&matrix.row(j)[..j]).map(|(a, b)| a * b).sum();
                let rest = matrix.at(i, j) - dot;
                if i > j {
                    *matrix.at_mut(i, j) = rest / matrix.at(j, j);
                } else if rest > 0.0 {
                    *matrix.at_mut(i, i) = rest.sqrt();
                } else {
                    return None;
                }
            }
        }
        Some(Cholesky { lower: matrix })
    }

    /// Replaces `vector` by the solution x of `L L^T x = vector`.
    pub fn solve(&self, vector: &mut [f64]) {
        let size = self.lower.size();
        for i in 0..size {
            let dot: f64 = self.lower.row(i)[..i].iter().zip(&*vector).map(|(a, b)| a * b).sum();
            vector[i] = (vector[i] - dot) / self.lower.at(i, i);
        }
        for i in (0..size).rev() {
            vector[i] /= self.lower.at(i, i);
            let value = vector[i];
            for (entry, factor) in vector[..i].iter_mut().zip(self.lower.row(i)) {
                *entry -= factor * value;
            }
        }
    }

    /// The inverse of the matrix.
    pub fn inverse(&self) -> Matrix {
        let size = self.lower.size();
        let mut inverse = Matrix::zero(size);
        for i in 0..size {
            let row = &mut inverse.cells[i * size..(i + 1) * size];
            row[i] = 1.0;
            // The inverse is symmetric, so its columns are its rows.
            self.solve(row);
        }
        inverse
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inverse_of_a_known_matrix() {
        // [4 2; 2 3] has the determinant 8.
        let matrix = Matrix { size: 2, cells: vec![4.0, 2.0, 2.0, 3.0] };
        let inverse = Cholesky::new(matrix).unwrap().inverse();
        let expected = [3.0 / 8.0, -0.25, -0.25, 0.5];
        for (got, expected) in inverse.cells.iter().zip(expected) {
            assert!((got - expected).abs() < 1e-15);
        }
    }

    #[test]
    fn a_singular_matrix_is_refused() {
        assert!(Cholesky::new(Matrix { size: 2, cells: vec![1.0, 1.0, 1.0, 1.0] }).is_none());
        assert!(Cholesky::new(Matrix::zero(1)).is_none());
        assert!(Cholesky::new(Matrix::zero(0)).is_some());
    }
}
