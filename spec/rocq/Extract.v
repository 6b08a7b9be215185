Require Import Extraction ExtrOcamlBasic. Require Import Core Check.
Set Extraction Output Directory ".".
Extraction "checker.ml" check system_well_sorted.
