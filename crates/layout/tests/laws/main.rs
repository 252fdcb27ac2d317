//! What holds for every layout, checked on tables of shapes and on generated ones.

mod check;
mod growth;
mod laws;
mod shapes;
