//! Where on its line, and in which kind of Markdown, the text stands.

/// What is known of the line up to here.
#[derive(Debug)]
pub(super) struct LineState {
    /// Nothing but white space on it so far.
    pub(super) fresh: bool,
    /// Columns of white space at its beginning.
    pub(super) indent: usize,
    /// The line before was blank, or there was none.
    pub(super) after_blank: bool,
    /// It is a block quote.
    pub(super) quoted: bool,
    /// Length of the run of backticks that is open.
    pub(super) code: Option<usize>,
    /// The fence that is open: its character and length.
    pub(super) fence: Option<(u8, usize)>,
    /// Opening marks of reasoning that are talked about on it, less the closing ones.
    pub(super) opened: usize,
    /// The last character passed on.
    pub(super) last: Option<char>,
    /// The one before it.
    before_last: Option<char>,
}

impl Default for LineState {
    fn default() -> Self {
        LineState {
            fresh: true,
            indent: 0,
            after_blank: true,
            quoted: false,
            code: None,
            fence: None,
            opened: 0,
            last: None,
            before_last: None,
        }
    }
}

impl LineState {
    /// `text` is passed on.
    pub(super) fn pass(&mut self, text: &str) {
        for piece in text.split_inclusive('\n') {
            self.within(piece.trim_end_matches('\n'));
            if piece.ends_with('\n') {
                self.broken();
            }
        }
        self.note_end(text);
    }

    /// Keeps the last two characters in mind.
    pub(super) fn note_end(&mut self, text: &str) {
        let mut ends = text.chars().rev();
        let (last, before) = (ends.next(), ends.next());
        self.before_last = before.or(if last.is_some() { self.last } else { self.before_last });
        self.last = last.or(self.last);
    }

    fn within(&mut self, text: &str) {
        if !self.fresh {
            return;
        }
        let rest = text.trim_start_matches([' ', '\t', '\r', '\u{feff}']);
        let blank = &text[..text.len() - rest.len()];
        self.indent += blank.chars().map(|c| if c == '\t' { 4 } else { usize::from(c == ' ') }).sum::<usize>();
        self.fresh = rest.is_empty();
    }

    fn broken(&mut self) {
        self.after_blank = self.fresh;
        self.fresh = true;
        self.indent = 0;
        self.quoted = false;
        self.code = None;
        self.opened = 0;
    }

    /// After a call or a mark a line begins anew.
    pub(super) fn after_mark(&mut self) {
        *self = LineState { fence: self.fence, ..LineState::default() };
    }

    /// Is this an indented code block?
    pub(super) fn is_indented_code(&self) -> bool {
        self.fresh && self.indent >= 4 && self.after_blank
    }

    /// Is a sentence over here, or has none begun?
    pub(super) fn ends_sentence(&self) -> bool {
        let last = self.last.filter(|last| !last.is_whitespace()).or(self.before_last);
        self.fresh || last.is_none_or(|last| matches!(last, '.' | '!' | '?' | '…' | '。' | '！' | '？'))
    }

    /// Does what comes next stand directly behind an opening quotation mark, or an escape? A mark behind a word closes.
    pub(super) fn in_quotes(&self) -> bool {
        let opens = self.before_last.is_none_or(|before| !before.is_alphanumeric() && !".,;!?)]}…".contains(before));
        match self.last {
            Some('"' | '\'' | '“' | '‘' | '„' | '«' | '‹' | '「') => opens,
            Some('\\') => true,
            Some(_) | None => false,
        }
    }
}
