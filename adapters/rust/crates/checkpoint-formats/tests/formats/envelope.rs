//! Envelopes laid out by hand, without the library's writer.

use sha2::{Digest as _, Sha256};

/// Where things are in [`envelope`]: the manifest has 436 bytes, four alignment bytes follow.
pub const MANIFEST_END: usize = 32 + 436;
pub const TABLE: usize = MANIFEST_END + 4;
pub const FIRST_PAYLOAD: usize = TABLE + 2 * 112;
pub const SECOND_PAYLOAD: usize = FIRST_PAYLOAD + 8;
pub const FOOTER: usize = SECOND_PAYLOAD + 8;

/// A complete manifest with `agents` as the text of that member; with `0` it is that of [`envelope`].
pub fn manifest(agents: &str) -> String {
    let entry = |name, length, data: &[u8]| {
        format!(
            r#"{{"byteLength":"{length}","digest":"{}","name":"{name}"}}"#,
            hex(&sha256(data))
        )
    };
    format!(
        concat!(
            r#"{{"agents":{},"checkpointId":0,"compatibility":0,"compositionDigest":0,"coordinator":0,"#,
            r#""envelopeVersion":1,"environment":0,"episodeId":0,"helperState":0,"payloads":[{},{}],"#,
            r#""portMap":0,"schedulerId":0,"sourceScope":0,"worldTime":0}}"#,
        ),
        agents,
        entry("a", 3, b"xyz"),
        entry("b-2", 8, b"01234567"),
    )
}

/// A valid envelope: payload `a` with `xyz`, payload `b-2` with `01234567`.
pub fn envelope() -> Vec<u8> {
    with_manifest(&manifest("0"))
}

/// [`envelope`] with another manifest; everything behind it moves.
pub fn with_manifest(manifest: &str) -> Vec<u8> {
    let table = (32 + manifest.len()).next_multiple_of(8);
    let first = table + 224;
    let mut file = b"FLYSESS1".to_vec();
    for word in [1, 32, manifest.len(), 2, table, 0] {
        file.extend((word as u32).to_le_bytes());
    }
    file.extend(manifest.as_bytes());
    file.resize(table, 0);
    for (name, offset, data) in [("a", first, &b"xyz"[..]), ("b-2", first + 8, &b"01234567"[..])] {
        let mut field = name.as_bytes().to_vec();
        field.resize(64, 0);
        file.extend(field);
        file.extend((offset as u64).to_le_bytes());
        file.extend((data.len() as u64).to_le_bytes());
        file.extend(sha256(data));
    }
    file.extend([&b"xyz"[..], &[0; 5], b"01234567"].concat());
    file.extend([0; 48]);
    reseal(file)
}

/// Writes the footer anew into the last 48 bytes.
pub fn reseal(mut file: Vec<u8>) -> Vec<u8> {
    let footer = file.len() - 48;
    let length = (file.len() as u64).to_le_bytes();
    let digest = sha256(&file[..footer]);
    file[footer..footer + 8].copy_from_slice(&length);
    file[footer + 8..footer + 40].copy_from_slice(&digest);
    file[footer + 40..].copy_from_slice(b"FLYSESSF");
    file
}

pub fn sha256(data: &[u8]) -> [u8; 32] {
    Sha256::digest(data).into()
}

pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
