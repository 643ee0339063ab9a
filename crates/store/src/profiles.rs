//! What was learned of models, kept between sessions.
//!
//! Several sessions may be open at once, and one of them may be an examination: each adds what it learned itself, and
//! takes nothing back that another one found meanwhile.

use crate::{Place, StoreError};
use agent_protocol::{Calibration, ModelProfile};

const FILE: &str = "models.json";

const WHAT: &str = "what was learned of the model";

/// So many models are remembered; the one that was not used for longest goes first.
const MOST: usize = 64;

/// What is known of models, under the digests of their weights.
#[derive(Debug)]
pub struct Profiles {
    place: Place,
    /// What this session found there when it began, and has said itself since.
    met: Vec<ModelProfile>,
}

impl Profiles {
    /// Those kept in `place`, as a session that begins now finds them.
    pub fn new(place: Place) -> Self {
        let met = read(&place);
        Profiles { place, met }
    }

    /// All of them as they are kept now, the one used last first; an unreadable file counts as none.
    pub fn load(&self) -> Vec<ModelProfile> {
        read(&self.place)
    }

    /// Keeps what is new in `profile`, besides what is known of its model already.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn save(&mut self, profile: &ModelProfile) -> Result<(), StoreError> {
        // Two sessions that save at once would each lose what the other wrote.
        let _lock = self.place.lock(WHAT)?;
        let mut all = self.load();
        let kept = take(&mut all, &profile.digest);
        let met = take(&mut self.met, &profile.digest).unwrap_or_default();
        all.insert(0, merged(kept.unwrap_or_default(), &met, profile));
        all.truncate(MOST);
        self.met.push(merged(met, &ModelProfile::default(), profile));
        let text = serde_json::to_string_pretty(&all).expect("figures and strings can be written as JSON");
        self.place.replace(FILE, WHAT, &format!("{text}\n"))
    }
}

fn read(place: &Place) -> Vec<ModelProfile> {
    place.read(FILE).and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default()
}

fn take(all: &mut Vec<ModelProfile>, digest: &str) -> Option<ModelProfile> {
    let at = all.iter().position(|known| known.digest == digest)?;
    Some(all.remove(at))
}

/// What is kept, with what `now` says otherwise than a session had `met` it.
fn merged(kept: ModelProfile, met: &ModelProfile, now: &ModelProfile) -> ModelProfile {
    ModelProfile {
        digest: now.digest.clone(),
        name: now.name.clone(),
        window: newer(kept.window, met.window.as_ref(), now.window.as_ref()),
        gpu_percent: newer(kept.gpu_percent, met.gpu_percent.as_ref(), now.gpu_percent.as_ref()),
        calibration: better(kept.calibration, met.calibration.as_ref(), now.calibration.as_ref()),
        reading: newer(kept.reading, met.reading.as_ref(), now.reading.as_ref()),
        writing: newer(kept.writing, met.writing.as_ref(), now.writing.as_ref()),
        load_ms: newer(kept.load_ms, met.load_ms.as_ref(), now.load_ms.as_ref()),
        examined: newer(kept.examined, met.examined.as_ref(), now.examined.as_ref()),
        tuned: newer(kept.tuned, met.tuned.as_ref(), now.tuned.as_ref()),
        cloud_allowed: newer(kept.cloud_allowed, met.cloud_allowed.as_ref(), now.cloud_allowed.as_ref()),
        // That none is chosen any more is news as well.
        form: if now.form == met.form { kept.form } else { now.form },
    }
}

/// What a session only repeats, or does not know, is no news.
fn newer<T: Clone + PartialEq>(kept: Option<T>, met: Option<&T>, now: Option<&T>) -> Option<T> {
    now.filter(|now| met != Some(*now)).cloned().or(kept)
}

/// Of two sessions that count at once, the one that counted more knows better. Weights of another number are those of
/// another version, and cannot be used any more.
fn better(kept: Option<Calibration>, met: Option<&Calibration>, now: Option<&Calibration>) -> Option<Calibration> {
    match (kept, now) {
        (Some(kept), Some(now)) if kept.samples > now.samples && kept.weights.len() == now.weights.len() => Some(kept),
        (kept, now) => newer(kept, met, now),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agent_protocol::{Examined, ToolsBy};
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    fn profile(digest: &str, window: u64) -> ModelProfile {
        ModelProfile { digest: digest.into(), window: Some(window), ..ModelProfile::default() }
    }

    #[test]
    fn what_was_learned_of_a_model_replaces_what_was_known_of_it() {
        let folder = tempfile::tempdir().unwrap();
        let mut profiles = Profiles::new(Place::new(folder.path()));
        assert_eq!(profiles.load(), []);
        for (digest, window) in [("a", 1), ("b", 2), ("a", 3)] {
            profiles.save(&profile(digest, window)).unwrap();
        }
        assert_eq!(profiles.load(), [profile("a", 3), profile("b", 2)]);
    }

    #[test]
    fn a_spoilt_file_is_no_knowledge_and_is_written_anew() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(FILE), "[{").unwrap();
        let mut profiles = Profiles::new(Place::new(folder.path()));
        assert_eq!(profiles.load(), []);
        profiles.save(&profile("a", 1)).unwrap();
        assert_eq!(profiles.load(), [profile("a", 1)]);
    }

    #[test]
    fn old_models_are_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        let mut profiles = Profiles::new(Place::new(folder.path()));
        for number in 0..MOST + 3 {
            profiles.save(&profile(&number.to_string(), 1)).unwrap();
        }
        let kept = profiles.load();
        assert_eq!((kept.len(), kept[0].digest.as_str()), (MOST, "66"));
    }

    fn verdict(tools_by: ToolsBy) -> Option<Examined> {
        Some(Examined { tools_by: Some(tools_by), ..Examined::default() })
    }

    fn calibration(samples: u64, weights: &[f64]) -> Option<Calibration> {
        Some(Calibration { weights: weights.to_vec(), samples })
    }

    /// What is kept of the model `a` after one session said `first` of it, another one `second` and the first `third`.
    fn after(first: &ModelProfile, second: &ModelProfile, third: &ModelProfile) -> ModelProfile {
        let folder = tempfile::tempdir().unwrap();
        let place = Place::new(folder.path());
        let mut one = Profiles::new(place.clone());
        one.save(&ModelProfile { digest: "a".into(), ..first.clone() }).unwrap();
        Profiles::new(place).save(&ModelProfile { digest: "a".into(), ..second.clone() }).unwrap();
        one.save(&ModelProfile { digest: "a".into(), ..third.clone() }).unwrap();
        one.load().remove(0)
    }

    #[test]
    fn an_examination_beside_an_open_session_is_kept() {
        let (server, text) = (verdict(ToolsBy::Server), verdict(ToolsBy::Text));
        let known = |window, examined: &Option<Examined>| ModelProfile {
            window: Some(window),
            examined: examined.clone(),
            ..ModelProfile::default()
        };
        for (before, found) in [(None, server.clone()), (server, text)] {
            let kept = after(&known(1, &before), &known(1, &found), &known(2, &before));
            assert_eq!((kept.window, kept.examined), (Some(2), found));
        }
    }

    #[test]
    fn nothing_that_is_known_is_taken_back() {
        let all = ModelProfile {
            name: "m".into(),
            window: Some(1),
            gpu_percent: Some(2),
            calibration: calibration(3, &[0.5]),
            reading: Some(4.0),
            writing: Some(5.0),
            load_ms: Some(6),
            examined: verdict(ToolsBy::Text),
            ..ModelProfile::default()
        };
        let bare = ModelProfile { name: "m".into(), ..ModelProfile::default() };
        assert_eq!(after(&all, &bare, &bare), ModelProfile { digest: "a".into(), ..all });
    }

    #[test]
    fn of_two_sessions_that_count_at_once_the_one_that_counted_more_is_believed() {
        let counted = |samples, weights: &[f64]| ModelProfile {
            calibration: calibration(samples, weights),
            ..ModelProfile::default()
        };
        let samples = |third: ModelProfile| after(&counted(1, &[0.1]), &counted(9, &[0.2]), &third).calibration;
        assert_eq!(samples(counted(5, &[0.3])), calibration(9, &[0.2]));
        assert_eq!(samples(counted(10, &[0.3])), calibration(10, &[0.3]));
        assert_eq!(samples(counted(5, &[0.3, 0.3])), calibration(5, &[0.3, 0.3]), "of another version");
    }

    #[test]
    fn sessions_that_save_at_once_lose_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let place = Place::new(folder.path().join("state"));
        std::thread::scope(|scope| {
            for number in 0..8 {
                let mut session = Profiles::new(place.clone());
                scope.spawn(move || session.save(&profile(&number.to_string(), number)).unwrap());
            }
        });
        assert_eq!(Profiles::new(place.clone()).load().len(), 8);
        let modes: Vec<u32> = [place.folder().to_owned(), place.folder().join(FILE)]
            .map(|path| fs::metadata(path).unwrap().permissions().mode() & 0o777)
            .to_vec();
        assert_eq!(modes, [0o700, 0o600]);
        assert_eq!(fs::read_dir(place.folder()).unwrap().count(), 1, "nothing else is left there");
    }
}
