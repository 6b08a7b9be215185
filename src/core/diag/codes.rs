//! The table of diagnostic codes. `spec/diagnostics.md` lists the same codes; a test compares them.

macro_rules! codes {
    ($($name:ident = $text:literal, $summary:literal;)*) => {
        /// The kind of a diagnostic.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
        pub enum Code {
            $(#[doc = $summary] $name,)*
        }

        /// All codes with their texts and summaries.
        pub const CODES: &[(Code, &str, &str)] = &[$((Code::$name, $text, $summary),)*];

        impl Code {
            /// Returns the code as printed.
            pub fn text(self) -> &'static str {
                match self {
                    $(Code::$name => $text,)*
                }
            }
        }
    };
}

impl Code {
    /// Returns whether the code is used for warnings or notes, which can be silenced, and not only for errors.
    pub fn can_be_warning(self) -> bool {
        matches!(
            self,
            Code::Syntax
                | Code::State
                | Code::Modifies
                | Code::Unchecked
                | Code::Fragment
                | Code::Annotation
                | Code::TraceElsewhere
                | Code::Vacuous
                | Code::NothingToCheck
                | Code::Dialect
                | Code::Quantifiers
                | Code::Stratification
                | Code::Precedence
                | Code::Pointwise
                | Code::Guard
                | Code::Implied
                | Code::Unused
                | Code::Variable
                | Code::LogicalVariable
                | Code::ByName
                | Code::Frameless
                | Code::Method
                | Code::Translation
                | Code::Cache
        )
    }

    /// Returns whether the code concerns decidability, and not the meaning of a program. The front end of programs
    /// reports such diagnostics as warnings; commands that promise answers turn them into errors
    /// ([`Diagnostic::into_error`](super::Diagnostic::into_error)).
    pub fn concerns_decidability(self) -> bool {
        matches!(self, Code::Fragment | Code::Quantifiers | Code::Stratification)
    }
}

codes! {
    Unreadable = "R001", "A file cannot be read, or is not text.";
    UnexpectedCharacter = "R002", "A character that no token starts with.";
    Syntax = "R003", "The text does not follow the grammar.";
    TooDeep = "R004", "A formula is nested too deep or grows too large.";
    Duplicate = "R005", "A name is declared twice, or shadows a declaration.";
    Undeclared = "R006", "A name is used but declared nowhere.";
    Arity = "R007", "A symbol is applied to the wrong number of arguments.";
    SortMismatch = "R008", "An expression has another sort than its place demands.";
    SortUnknown = "R009", "The sort of a variable cannot be inferred.";
    State = "R010", "A symbol is read in a state that does not exist there, or must not be read there.";
    Modifies = "R011", "A transition's `modifies` list and its body disagree.";
    Recursive = "R012", "A definition or derived relation depends on itself.";
    OutsideLogic = "R013", "The model uses arithmetic, which is outside the logic.";
    Unchecked = "R014", "A part of the text is read but not checked, or nothing follows from it.";
    Fragment = "R015", "An obligation is outside stratified EPR.";
    Annotation = "R016", "An annotation does not fit its declaration.";
    Usage = "R017", "The command line does not fit the model.";
    TraceElsewhere = "R018", "Trace blocks are checked by another command.";
    Vacuous = "R019", "Nothing satisfies what a claim is about, so the claim says nothing.";
    Quantifiers = "R020", "A formula has quantifiers that its place does not allow.";
    Stratification = "R021", "The functions of a program are not stratified.";
    Assignment = "R022", "A command changes what cannot be changed.";
    Program = "R023", "The parts of a program do not fit together.";
    Module = "R024", "A file cannot be included, or a module that is used is not there.";
    NothingToCheck = "R026", "A model claims nothing that the command could check.";
    TraceLength = "R027", "A trace has more transitions than an execution may have, or a proof too many steps.";
    Limit = "R028", "A limit ran out while a model was read.";
    Document = "R030", "A JSON document does not fit its model.";
    Dialect = "R031", "A file marks the old state by `old(..)`, as the older dialect of `.pyv` does.";
    Liveness = "R032", "A circuit has justice properties or fairness constraints, which are not checked.";
    Translation = "R033", "The language that a model is translated to cannot say this.";
    Configuration = "R034", "A configuration, or an expectation in a comment, is not understood.";
    Unexpected = "R035", "A check has another outcome than it is expected to have.";
    Cache = "R036", "A cache does not work, or has an entry that is not valid.";
    Precedence = "R040", "Operators bind in another way than the text looks.";
    Pointwise = "R041", "A transition leaves all but a few tuples of a symbol arbitrary.";
    Guard = "R042", "The guard of a transition is never satisfied.";
    Implied = "R043", "An invariant follows from the others.";
    Unused = "R044", "A declaration is never used.";
    Variable = "R045", "A variable is never used, or probably misspelt.";
    LogicalVariable = "R046", "A variable left of `:=` stands for every element, and hardly is meant to.";
    ByName = "R047", "An argument is read in another state by mypyvy.";
    Frameless = "R048", "A transition is used as a formula, which does not say what stays as it is.";
    Method = "R049", "Another question is asked about claims than the model wants.";
}
