//! Puts the parts on the screen. `lay_out` finds each its place, `view` draws; neither decides anything.

use crate::app::{App, DRAFTED, Regions, SMALLEST};
use crate::clean::clean_line;
use crate::composer::Writing;
use crate::dialogs::{Laid, Space, rule};
use crate::keymap::Deed;
use crate::settings::ScreenMotion;
use crate::text::width::shorten;
use crate::text::wrap::wrap;
use crate::{status, welcome};
use agent_protocol::Mode;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};

/// Rows of a waiting line at most.
const LONGEST_WAITING: usize = 3;
/// Queued messages shown at most.
const MOST_QUEUED: usize = 3;
/// From this height on there is room for a rule below the composer, and for the draft below a dialog.
const ROOMY: u16 = 16;
/// Rows of the conversation that are left above a question that wants all the room there is.
const LEFT_ABOVE: u16 = 3;
/// Rows of the conversation that are left above what there is to do.
const LEAST_CONVERSATION: usize = 2;
/// Said where the terminal is too small, the first that fits.
const TOO_SMALL: [&str; 3] = ["terminal too small: needs", "needs", ""];

/// Where everything is and what is too costly to find out twice, until the next change.
#[derive(Default)]
pub(crate) struct Layout {
    dialog: Option<Laid>,
    dialog_area: Rect,
    draft: Option<Rect>,
    welcome: Rect,
    transcript: Rect,
    above: Vec<Line<'static>>,
    above_area: Rect,
    composer: Rect,
}

#[cfg(test)]
impl Layout {
    /// The dialog and what stands below it, or the conversation and what stands between it and the composer; without the
    /// composer and the status line, which have tests of their own.
    pub(crate) fn without_status(&self) -> Rect {
        match self.dialog {
            Some(_) => self.dialog_area.union(self.above_area).union(self.draft.unwrap_or(self.above_area)),
            None => Rect { height: self.composer.y - 1, ..self.transcript.union(self.welcome) },
        }
    }
}

/// Finds the parts their places for the screen's size.
pub(crate) fn lay_out(app: &mut App) -> Layout {
    let mut layout = Layout::default();
    if !app.has_room() {
        app.regions = Regions::default();
        return layout;
    }
    let (width, rows) = (app.size.width, app.size.height - 1);
    if app.questions.is_empty() && app.dialog.is_none() {
        lay_out_composer(app, &mut layout, rows);
    } else {
        lay_out_dialog(app, &mut layout, rows);
    }
    app.transcript.layout(width, layout.transcript.height);
    make_room_for_welcome(app, &mut layout);
    app.regions = Regions { transcript: layout.transcript, dialog: layout.dialog_area };
    layout
}

/// Until the conversation begins the welcome stands above what there is to know.
fn make_room_for_welcome(app: &mut App, layout: &mut Layout) {
    if app.begun {
        return;
    }
    let area = layout.transcript;
    let rows = usize::from(area.height);
    let lines = if app.transcript.is_empty() { 0 } else { app.transcript.tail(rows, area.width).len() };
    let notices = u16::try_from(lines).unwrap_or(area.height);
    let gap = u16::from(notices > 0);
    let wanted = u16::try_from(welcome::lines(app, area.width).len()).unwrap_or(u16::MAX);
    let height = wanted.min(area.height.saturating_sub(notices + gap));
    layout.welcome = Rect { height, ..area };
    layout.transcript = Rect { y: area.y + height + gap, height: notices, ..area }.intersection(area);
    app.transcript.layout(area.width, layout.transcript.height);
}

fn lay_out_composer(app: &mut App, layout: &mut Layout, rows: u16) {
    let width = app.size.width;
    let wanted = u16::try_from(app.composer.lay_out(width.saturating_sub(2))).unwrap_or(u16::MAX);
    let height = wanted.clamp(1, (app.size.height / 3).max(1));
    let below = u16::from(app.size.height >= ROOMY);
    let composer_top = rows - below - height;
    layout.above = above(app, width, usize::from(composer_top - 1));
    // What is said last is the newest; there may be more of it than there are rows.
    let too_many = layout.above.len().saturating_sub(usize::from(composer_top) - 1);
    layout.above.drain(..too_many);
    let above_top = composer_top - 1 - u16::try_from(layout.above.len()).unwrap_or(0);
    layout.composer = Rect::new(1, composer_top, width - 2, height);
    layout.above_area = Rect::new(0, above_top, width, composer_top - 1 - above_top);
    layout.transcript = Rect::new(0, 0, width, above_top);
}

fn lay_out_dialog(app: &mut App, layout: &mut Layout, rows: u16) {
    let (width, now, palette) = (app.size.width, app.now, app.palette);
    // What keeps a key from answering is seen on the smallest screen too.
    let draft = match (app.size.height >= ROOMY, app.is_drafted()) {
        (true, _) => u16::from(!app.composer.is_empty()) * 2,
        (false, drafted) => u16::from(drafted),
    };
    layout.above = remark(app, width);
    if app.is_drafted() {
        layout.above.extend(wrap(&Line::styled(format!(" {DRAFTED}"), palette.warn()), width, 1));
    }
    let below = draft + u16::try_from(layout.above.len()).unwrap_or(0);
    // Seven tenths of the screen; all of it where that is little, or where each line is part of what is asked.
    let all = match app.questions.front() {
        Some(question) => question.wants_room(),
        None => app.dialog.as_ref().is_some_and(|dialog| dialog.wants_room()),
    };
    let most = match app.size.height {
        ..ROOMY => rows - below,
        _ if all => rows - below - LEFT_ABOVE,
        height => (height * 7 / 10).min(rows - below),
    };
    let laid = match (app.questions.front_mut(), &mut app.dialog) {
        (Some(question), _) => question.lay_out(width, most),
        (None, Some(dialog)) => dialog.lay_out(Space { columns: width, most, now, palette }),
        (None, None) => Laid::default(),
    };
    let top = rows - below - laid.height();
    layout.dialog_area = Rect::new(0, top, width, laid.height());
    layout.above_area = Rect::new(0, rows - below, width, below - draft);
    layout.draft = (draft > 0).then(|| Rect::new(1, rows - 1, width - 2, 1));
    layout.transcript = Rect::new(0, 0, width, top);
    layout.dialog = Some(laid);
}

/// What stands between conversation and composer: what there is to do, messages that wait, what we wait for, a remark. At least a blank
/// row, so that nothing jumps when a turn begins.
fn above(app: &App, width: u16, rows: usize) -> Vec<Line<'static>> {
    let mut news = queued(app, width);
    news.extend(waiting(app, width));
    news.extend(remark(app, width));
    let free = rows.saturating_sub(news.len() + 1 + LEAST_CONVERSATION);
    let mut lines = app.todos.panel(width, app.size.height, free, &app.keymap.label(Deed::Todos), app.palette);
    if !lines.is_empty() || news.is_empty() {
        lines.push(Line::default());
    }
    lines.extend(news);
    lines
}

fn remark(app: &App, width: u16) -> Vec<Line<'static>> {
    let Some(remark) = &app.remark else { return Vec::new() };
    let line = Line::styled(format!(" {}", clean_line(&remark.text)), app.palette.warn());
    wrap(&line, width, 1).into_iter().take(LONGEST_WAITING).collect()
}

fn queued(app: &App, width: u16) -> Vec<Line<'static>> {
    let count = app.queued.len();
    let shown = app.queued.iter().take(MOST_QUEUED).enumerate().map(|(number, text)| {
        let last = number + 1 == count.min(MOST_QUEUED);
        let more =
            if last && count > MOST_QUEUED { format!(" and {} more", count - MOST_QUEUED) } else { String::new() };
        let key = if last { format!("{more} (↑ takes back)") } else { String::new() };
        let room = usize::from(width).saturating_sub(10 + key.chars().count());
        let text = shorten(&clean_line(text), room).into_owned();
        Line::from(vec![
            Span::styled(" queued: ", app.palette.accent()),
            Span::raw(text),
            Span::styled(key, app.palette.dim()),
        ])
    });
    shown.collect()
}

fn waiting(app: &App, width: u16) -> Vec<Line<'static>> {
    let Some(work) = &app.work else { return Vec::new() };
    let name = app.session.model.as_ref().map_or("the model", |model| &model.name);
    let words = clean_line(&work.words(name, app.clock())).into_owned();
    // A heart that beats once a second shows that we are alive, and costs no more than the clock does.
    let still = app.settings.motion == ScreenMotion::Reduced;
    let beat = if still || app.now.as_secs().is_multiple_of(2) { "● " } else { "○ " };
    let line = Line::from(vec![
        Span::styled(format!(" {beat}"), app.palette.accent()),
        Span::raw(words),
        Span::styled(format!(" · {} interrupts", app.keymap.label(Deed::Interrupt)), app.palette.dim()),
    ]);
    wrap(&line, width, 3).into_iter().take(LONGEST_WAITING).collect()
}

/// Draws everything and says where the cursor stands; `None`: nowhere.
pub(crate) fn view(app: &App, layout: &Layout, buf: &mut Buffer) -> Option<Position> {
    let area = buf.area;
    if !app.has_room() {
        for (line, row) in too_small(area).iter().zip(area.rows()) {
            buf.set_line(row.x, row.y, line, row.width);
        }
        return None;
    }
    for (line, row) in welcome::lines(app, area.width).iter().zip(layout.welcome.rows()) {
        buf.set_line(row.x, row.y, line, row.width);
    }
    app.transcript.draw(layout.transcript, buf);
    let bottom = area.height - 1;
    buf.set_line(0, bottom, &status::line(app, area.width), area.width);
    for (line, row) in layout.above.iter().zip(layout.above_area.rows()) {
        buf.set_line(row.x, row.y, line, row.width);
    }
    if let Some(dialog) = &layout.dialog {
        if let Some(draft) = layout.draft {
            app.composer.draw_behind(app.palette, draft, buf);
        }
        return dialog.draw(layout.dialog_area, buf);
    }
    draw_rules(app, layout, buf);
    let over = Rect::new(0, 0, area.width, layout.composer.y - 1);
    app.composer.draw_completions(app.palette, over, buf);
    app.composer.draw(app.palette, layout.composer, buf)
}

fn too_small(area: Rect) -> Vec<Line<'static>> {
    let size = format!("{}x{}", SMALLEST.width, SMALLEST.height);
    let texts =
        TOO_SMALL.iter().map(|text| wrap(&Line::raw(format!("{text} {size}").trim().to_owned()), area.width, 0));
    let fits = |lines: &Vec<Line<'_>>| lines.len() <= usize::from(area.height);
    texts.filter(fits).find(|lines| lines.iter().any(|line| line.to_string().contains(&size))).unwrap_or_default()
}

/// The lines around the composer. In plan and unsafe mode they say so: it is where the user looks.
fn draw_rules(app: &App, layout: &Layout, buf: &mut Buffer) {
    let (width, palette) = (buf.area.width, app.palette);
    let plain = || Line::styled("─".repeat(usize::from(width)), palette.dim());
    let top = match app.session.mode {
        _ if app.composer.writing() == Writing::Shell => {
            rule(Span::styled("your shell · no sandbox", palette.bad()), width, palette)
        }
        _ if app.composer.writing() == Writing::Memory => {
            rule(Span::styled("to be remembered in later sessions of this project", palette.calm()), width, palette)
        }
        Mode::Safe | Mode::AcceptEdits | Mode::Unsafe if app.session.is_disposable() => {
            let words = "NO SANDBOX, NO QUESTIONS: commands can do whatever you can";
            rule(Span::styled(words, palette.bad()), width, palette)
        }
        Mode::Safe => plain(),
        Mode::AcceptEdits => {
            rule(Span::styled("EDITS: files in the project without asking", palette.good()), width, palette)
        }
        Mode::Plan => rule(Span::styled("PLAN: the model only looks", palette.calm()), width, palette),
        Mode::Unsafe => rule(Span::styled("UNSAFE: runs without asking", palette.bad()), width, palette),
    };
    buf.set_line(0, layout.composer.y - 1, &top, width);
    if buf.area.height >= ROOMY {
        buf.set_line(0, layout.composer.bottom(), &plain(), width);
    }
}
