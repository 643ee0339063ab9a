//! What commands of the sandbox talk to: hosts that they want to reach while they run, and ports of their own that the
//! person opens.

use crate::machine::Machine;
use crate::{Effect, Input};
use agent_protocol::{Event, NoticeLevel, Op};

impl Machine {
    pub(crate) fn of_reaching(&mut self, input: Input) {
        match input {
            Input::Reaches { reach, .. } => self.carry_out(Effect::LetReach { reach, allowed: false }),
            Input::ReachOver { .. } => {}
            Input::Ports { ports, fault } => {
                self.emit(Event::Ports { ports });
                if let Some(text) = fault {
                    self.notice(NoticeLevel::Warning, text);
                }
            }
            _ => unreachable!("every other input goes elsewhere"),
        }
    }

    pub(crate) fn op_of_ports(&mut self, op: Op) {
        match op {
            Op::Ports => self.carry_out(Effect::ListPorts),
            Op::Forward { port, open } => self.carry_out(Effect::Forward { port, open }),
            _ => unreachable!("every other wish goes elsewhere"),
        }
    }
}
