(** The checker as a program of OCaml. *)
Require Import Extraction ExtrOcamlBasic. Require Import Core Check.
Extraction Language OCaml.
Extraction "checker.ml" check check_queries system_well_sorted well_sorted inst wits at_state.
