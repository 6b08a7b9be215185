//! Tests of `.ivy`.

mod corpus;
