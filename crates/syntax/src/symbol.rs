//! What something defined in a text is.

/// What kind of thing is defined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Stands alone.
    Function,
    Method,
    /// A class, or a record.
    Class,
    Struct,
    Union,
    Enum,
    /// A trait, or a concept.
    Trait,
    /// An interface, also one for annotations.
    Interface,
    /// Another name for a type.
    Type,
    Module,
    Macro,
    /// A constant or variable of the whole file.
    Constant,
    /// What a type is given apart from where it is defined.
    Impl,
}

/// What may stand in a kind of thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sort {
    Function,
    /// It is a type, or functions may belong to it.
    Type,
    Other,
}

impl Kind {
    fn described(self) -> (&'static str, Sort) {
        match self {
            Kind::Function => ("function", Sort::Function),
            Kind::Method => ("method", Sort::Function),
            Kind::Class => ("class", Sort::Type),
            Kind::Struct => ("struct", Sort::Type),
            Kind::Union => ("union", Sort::Type),
            Kind::Enum => ("enum", Sort::Type),
            Kind::Trait => ("trait", Sort::Type),
            Kind::Interface => ("interface", Sort::Type),
            Kind::Type => ("type", Sort::Type),
            Kind::Module => ("module", Sort::Other),
            Kind::Macro => ("macro", Sort::Other),
            Kind::Constant => ("const", Sort::Other),
            Kind::Impl => ("impl", Sort::Type),
        }
    }

    pub fn name(self) -> &'static str {
        self.described().0
    }

    /// Does it hold statements?
    pub fn is_function(self) -> bool {
        self.described().1 == Sort::Function
    }

    /// Is it a type, or may functions belong to it?
    pub fn is_type(self) -> bool {
        self.described().1 == Sort::Type
    }
}

/// Something defined. Lines and columns count from 1, columns in characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symbol {
    /// Its name, without what it belongs to.
    pub name: String,
    pub kind: Kind,
    /// Its first line, decorators included.
    pub first: usize,
    /// Its last line; the first one where only words were looked at.
    pub last: usize,
    /// Where its name stands.
    pub name_line: usize,
    /// Its head on one line, without the word for its kind.
    pub signature: String,
    /// The type that it says it belongs to where it does not stand inside: `Server` of `func (s *Server) run()`.
    pub owner: Option<String>,
    /// The place in the list of what it stands in.
    pub parent: Option<usize>,
    /// How many symbols it stands in.
    pub depth: usize,
    /// What it takes, without itself; `None` for what takes nothing by its nature.
    pub parameters: Option<usize>,
    /// Ways through it: one and each decision.
    pub branches: usize,
    /// The most control structures inside each other.
    pub nesting: usize,
}

impl Symbol {
    /// How many lines it has.
    pub fn lines(&self) -> usize {
        self.last - self.first + 1
    }

    /// Does it hold `line`?
    pub fn holds(&self, line: usize) -> bool {
        self.first <= line && line <= self.last
    }

    /// How hard it is to keep in mind: its lines, more for each way through it and each step that these go deep.
    pub fn weight(&self) -> usize {
        self.lines() + 5 * self.branches + 10 * self.nesting
    }
}
