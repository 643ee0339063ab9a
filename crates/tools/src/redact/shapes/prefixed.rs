//! Keys that begin with letters that say whose they are: a beginning, and behind it so many letters of an alphabet. The
//! beginnings, alphabets and lengths are those that their makers publish and scanners of repositories look for.
//!
//! **Invariant.** What follows a beginning is looked at once: where a key was found, nothing within it is looked at again,
//! and where none was, no more was read than the shortest would have had.

use super::may_begin;

/// A kind of key.
pub(super) struct Prefixed {
    pub(super) what: &'static str,
    pub(super) begins: &'static [&'static str],
    then: &'static [Piece],
}

/// A part of a key.
enum Piece {
    /// At least, and at most so many letters.
    Of(Alphabet, usize, usize),
    /// Just this.
    Text(&'static str),
    /// The second where it is there, at the end.
    Perhaps(&'static [Piece]),
}

#[derive(Clone, Copy)]
enum Alphabet {
    Hex,
    Digits,
    Upper,
    Letters,
    Alnum,
    /// Letters, digits, `_` and `-`.
    Word,
    /// The same and `=`.
    Padded,
    /// Letters, digits, `+` and `/`.
    Base64,
    /// What base64 ends with.
    Fill,
}

/// A key that has no longest length ends here.
const LONGEST: usize = 4_096;

/// Fewer different letters than this behind a beginning that could stand in any word are no chance.
const LEAST_DIFFERENT: usize = 6;

/// Beginnings that are words, which documents show with all letters in a row behind them.
const WORDS: [&str; 2] = ["key-", "API-"];

const fn hex(letters: usize) -> Piece {
    Piece::Of(Alphabet::Hex, letters, letters)
}

const fn upper(letters: usize) -> Piece {
    Piece::Of(Alphabet::Upper, letters, letters)
}

const fn alnum(letters: usize) -> Piece {
    Piece::Of(Alphabet::Alnum, letters, letters)
}

const fn word(letters: usize) -> Piece {
    Piece::Of(Alphabet::Word, letters, letters)
}

const fn padded(letters: usize) -> Piece {
    Piece::Of(Alphabet::Padded, letters, letters)
}

const fn some(alphabet: Alphabet, least: usize) -> Piece {
    Piece::Of(alphabet, least, LONGEST)
}

const fn key(what: &'static str, begins: &'static [&'static str], then: &'static [Piece]) -> Prefixed {
    Prefixed { what, begins, then }
}

const DASH: Piece = Piece::Text("-");
const DOT: Piece = Piece::Text(".");
const LOW: Piece = Piece::Text("_");
const FILL: Piece = Piece::Of(Alphabet::Fill, 0, 3);
const UUID: [Piece; 9] = [hex(8), DASH, hex(4), DASH, hex(4), DASH, hex(4), DASH, hex(12)];

use Alphabet::{Alnum, Base64, Letters, Padded, Word};

pub(super) static TABLE: &[Prefixed] = &[
    key("password manager key", &["A3-"], &[upper(6), DASH, upper(11), DASH, upper(5), DASH, upper(5), DASH, upper(5)]),
    key(
        "password manager key",
        &["A3-"],
        &[upper(6), DASH, upper(6), DASH, upper(5), DASH, upper(5), DASH, upper(5), DASH, upper(5)],
    ),
    key("password manager token", &["ops_eyJ"], &[some(Base64, 200), FILL]),
    key("Adobe secret", &["p8e-"], &[alnum(32)]),
    key("Airtable token", &["pat"], &[alnum(14), DOT, hex(64)]),
    key("Alibaba access key", &["LTAI"], &[alnum(20)]),
    key("AWS access key", &["A3T"], &[upper(17)]),
    key("AWS access key", &["ABSK"], &[some(Base64, 109), FILL]),
    key("package token", &["AKCp"], &[alnum(69)]),
    key("package token", &["cmVmd"], &[alnum(59)]),
    key("Atlassian token", &["ATATT3"], &[some(Padded, 180)]),
    key("Azure key", &["AccountKey="], &[Piece::Of(Base64, 86, 86), Piece::Text("==")]),
    key("build token", &["bkua_"], &[hex(40)]),
    key("ClickHouse key", &["4b1d"], &[alnum(38)]),
    key("package token", &["CLOJARS_", "clojars_"], &[alnum(60)]),
    key("Cloudflare key", &["v1.0-"], &[hex(24), DASH, hex(146)]),
    key("Contentful token", &["CFPAT-"], &[word(43)]),
    key("Databricks token", &["dapi"], &[hex(32), Piece::Perhaps(&[DASH, Piece::Of(Alphabet::Digits, 1, 1)])]),
    key("network token", &["dnkey-"], &[padded(26), DASH, padded(52)]),
    key("DigitalOcean token", &["doo_v1_", "dop_v1_", "dor_v1_"], &[hex(64)]),
    key("registry token", &["dckr_pat_", "dckr_oat_"], &[some(Word, 20)]),
    key("Doppler token", &["dp.pt.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit."], &[some(Alnum, 40)]),
    key("Doppler token", &["dp.st."], &[some(Word, 1), DOT, some(Alnum, 40)]),
    key("Dropbox token", &["sl."], &[some(Padded, 130)]),
    key("Duffel token", &["duffel_test_", "duffel_live_"], &[padded(43)]),
    key("Dynatrace token", &["dt0c01.", "dt0s01.", "dt0s16."], &[alnum(24), DOT, alnum(64)]),
    key("EasyPost key", &["EZAK", "EZTK"], &[alnum(54)]),
    key("Facebook token", &["EAAM", "EAAC"], &[some(Alnum, 100)]),
    key("Figma token", &["figd_", "figo_", "figoh_"], &[some(Word, 40)]),
    key("Flutterwave key", &["FLWSECK_TEST-", "FLWSECK-", "FLWPUBK_TEST-"], &[alnum(32), Piece::Text("-X")]),
    key("Flutterwave key", &["FLWSECK_TEST-", "FLWSECK_TEST"], &[alnum(12)]),
    key("Fly token", &["fo1_"], &[word(43)]),
    key("Fly token", &["fm1r_", "fm1a_", "fm2_"], &[some(Base64, 100), FILL]),
    key("Frame.io token", &["fio-u-"], &[padded(64)]),
    key("GitLab token", &["glffct-", "glimt-", "glwt-", "GR1348941"], &[some(Word, 20)]),
    key("GitLab session", &["_gitlab_session="], &[alnum(32)]),
    key("Grafana key", &["eyJrIjoi"], &[some(Alnum, 70), FILL]),
    key("Grafana token", &["glc_"], &[some(Base64, 32), FILL]),
    key("Grafana token", &["glsa_"], &[alnum(32), LOW, hex(8)]),
    key("API key", &["sk-ant-api03-", "sk-ant-admin01-", "sk-ant-oat01-"], &[some(Word, 80)]),
    key("API key", &["sk-proj-", "sk-svcacct-", "sk-admin-"], &[some(Word, 60)]),
    key("API key", &["gsk_"], &[some(Alnum, 48)]),
    key("Harness token", &["pat.", "sat."], &[word(22), DOT, alnum(24), DOT, alnum(20)]),
    key("Heroku key", &["HRKU-AA"], &[word(58)]),
    key("access token", &["api_org_"], &[Piece::Of(Letters, 34, 34)]),
    key("Infracost key", &["ico-"], &[alnum(32)]),
    key("Intra secret", &["s-s4t2ud-", "s-s4t2af-"], &[hex(64)]),
    key("API key", &["lsv2_pt_", "lsv2_sk_"], &[hex(32), LOW, hex(10)]),
    key("Linear key", &["lin_api_", "lin_oauth_"], &[some(Alnum, 40)]),
    key("mail key", &["key-"], &[hex(32)]),
    key("Netlify token", &["nfp_", "nfc_", "nfo_"], &[alnum(36)]),
    key("New Relic key", &["NRAK-"], &[alnum(27)]),
    key("New Relic key", &["NRII-"], &[word(32)]),
    key("New Relic key", &["NRJS-"], &[hex(19)]),
    key("Notion token", &["ntn_"], &[Piece::Of(Alphabet::Digits, 11, 11), alnum(35)]),
    key("deployment key", &["API-"], &[upper(26)]),
    key("cluster token", &["sha256~"], &[word(43)]),
    key("API key", &["pplx-"], &[alnum(48)]),
    key("Plaid token", &["access-sandbox-", "access-development-", "access-production-"], &UUID),
    key("PlanetScale secret", &["pscale_tkn_", "pscale_oauth_", "pscale_pw_"], &[some(Padded, 32)]),
    key("Postman key", &["PMAK-"], &[hex(24), DASH, hex(34)]),
    key("Prefect key", &["pnu_", "pnb_"], &[alnum(36)]),
    key("Pulumi token", &["pul-"], &[hex(40)]),
    key("Readme key", &["rdme_"], &[alnum(70)]),
    key("API key", &["r8_"], &[alnum(37)]),
    key("package token", &["rubygems_"], &[hex(48)]),
    key("Scalingo token", &["tk-us-"], &[word(48)]),
    key("mail key", &["xkeysib-", "xsmtpsib-"], &[hex(64), DASH, alnum(16)]),
    key("Sentry token", &["sntryu_"], &[hex(64)]),
    key("Sentry token", &["sntrys_eyJ"], &[some(Base64, 40), FILL, Piece::Perhaps(&[LOW, some(Base64, 40)])]),
    key("Settlemint token", &["sm_aat_", "sm_pat_", "sm_sat_"], &[alnum(16)]),
    key("Shippo token", &["shippo_live_", "shippo_test_"], &[hex(40)]),
    key("Shopify token", &["shpat_", "shpca_", "shppa_", "shpss_"], &[hex(32)]),
    key("Sonar token", &["sqp_", "squ_", "sqa_"], &[hex(40)]),
    key("Sourcegraph token", &["sgp_"], &[hex(40)]),
    key("Sourcegraph token", &["sgp_"], &[hex(16), LOW, hex(40)]),
    key("Sourcegraph token", &["sgp_local_"], &[hex(40)]),
    key("Square token", &["sq0atp-"], &[some(Word, 22)]),
    key("Square secret", &["sq0csp-"], &[word(43)]),
    key("Square token", &["EAAA"], &[word(60)]),
    key("Stripe key", &["sk_prod_", "rk_prod_"], &[some(Alnum, 16)]),
    key("Supabase token", &["sbp_"], &[hex(40)]),
    key("Tailscale key", &["tskey-auth-", "tskey-api-", "tskey-client-"], &[some(Alnum, 8), DASH, some(Alnum, 16)]),
    key("Twilio key", &["SK", "AC"], &[hex(32)]),
    key("Typeform token", &["tfp_"], &[some(Word, 40)]),
    key("Vault token", &["hvs."], &[some(Word, 90)]),
    key("Vault token", &["hvb.", "hvr."], &[some(Word, 138)]),
    key("Yandex token", &["t1."], &[some(Padded, 8), DOT, some(Padded, 86)]),
    key("Yandex key", &["AQVN"], &[Piece::Of(Word, 35, 38)]),
];

impl Prefixed {
    /// Where the key ends that begins at `start` with letters that end at `from`.
    pub(super) fn end(&self, text: &str, start: usize, from: usize) -> Option<usize> {
        let bytes = text.as_bytes();
        let begin = &text[start..from];
        // Pictures and archives, written as letters, hold every short row of letters somewhere, and names are put together
        // of words.
        let plain = begin.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        if !may_begin(&bytes[..start]) || plain && bytes[..start].last().is_some_and(|byte| b"/+-".contains(byte)) {
            return None;
        }
        let end = follow(self.then, bytes, from)?;
        let next = bytes.get(end).filter(|_| end - from < LONGEST);
        let goes_on = next.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
        let chance = !plain || looks_like_chance(&bytes[from..end]);
        let shown = WORDS.contains(&begin) && text[from..].starts_with("0123456789");
        (!goes_on && chance && !shown).then_some(end)
    }
}

/// Where `pieces` end that begin at `from`.
fn follow(pieces: &[Piece], bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    for piece in pieces {
        at = match piece {
            Piece::Of(alphabet, least, most) => {
                let here = &bytes[at..bytes.len().min(at + most)];
                let letters = here.iter().take_while(|byte| alphabet.has(**byte)).count();
                (letters >= *least).then_some(at + letters)?
            }
            Piece::Text(text) => bytes[at..].starts_with(text.as_bytes()).then_some(at + text.len())?,
            Piece::Perhaps(more) => follow(more, bytes, at).unwrap_or(at),
        };
    }
    Some(at)
}

impl Alphabet {
    fn has(self, byte: u8) -> bool {
        match self {
            Alphabet::Hex => byte.is_ascii_hexdigit(),
            Alphabet::Digits => byte.is_ascii_digit(),
            Alphabet::Upper => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
            Alphabet::Letters => byte.is_ascii_alphabetic(),
            Alphabet::Alnum => byte.is_ascii_alphanumeric(),
            Alphabet::Word => byte.is_ascii_alphanumeric() || b"_-".contains(&byte),
            Alphabet::Padded => byte.is_ascii_alphanumeric() || b"_-=".contains(&byte),
            Alphabet::Base64 => byte.is_ascii_alphanumeric() || b"+/".contains(&byte),
            Alphabet::Fill => byte == b'=',
        }
    }
}

fn looks_like_chance(body: &[u8]) -> bool {
    let mut letters = body.to_vec();
    letters.sort_unstable();
    letters.dedup();
    letters.len() >= LEAST_DIFFERENT && body.iter().any(u8::is_ascii_digit) && body.iter().any(u8::is_ascii_alphabetic)
}
