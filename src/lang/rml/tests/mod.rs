//! Tests of the front end: text in, system or diagnostics out.
