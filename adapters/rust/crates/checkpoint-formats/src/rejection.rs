//! The one error type of all readers and writers.

use std::fmt;

/// `Ok`, or the one rejection of this input.
pub type Result<T> = std::result::Result<T, Rejection>;

macro_rules! reasons {
    ($($(#[doc = $meaning:literal])+ $variant:ident => $id:literal,)+) => {
        /// Why an input was refused. The identifiers of [`Reason::as_str`] are stable.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Reason {
            $($(#[doc = $meaning])+ $variant,)+
        }

        impl Reason {
            /// Every reason, in the order of the formats' checks.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// The stable kebab-case identifier.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $id,)+
                }
            }
        }
    };
}

reasons! {
    /// LMDL-COORDINATE: not exactly 32 bytes.
    CoordinateSize => "coordinate-size",
    /// LMDL-COORDINATE, LMDL-SLOT, LMDL-COMMIT: a value does not fit the width of its field.
    FieldOutOfRange => "field-out-of-range",
    /// LMDL-SLOT: not exactly 64 bytes.
    SlotSize => "slot-size",
    /// LMDL-SLOT: does not begin with `LMDL`.
    SlotMagic => "slot-magic",
    /// LMDL-SLOT: the version is not 1.
    SlotVersion => "slot-version",
    /// LMDL-SLOT: the CRC-32 does not match bytes 0-59.
    SlotCrc => "slot-crc",
    /// LMDL-RECOVER-1: the `.meta` file is neither empty nor 128 bytes long.
    MetaSize => "meta-size",
    /// LMDL-RECOVER-2: an intact slot of a newer version.
    MetaVersion => "meta-version",
    /// LMDL-RECOVER-3: neither slot is valid.
    MetaNoValidSlot => "meta-no-valid-slot",
    /// LMDL-RECOVER-4: the log holds fewer hashes than were committed.
    DedupShort => "dedup-short",
    /// LMDL-COMMIT: the active epoch is the last one.
    EpochExhausted => "epoch-exhausted",
    /// LMDL-COMMIT: more hashes than `dedup_count` can count.
    DedupCountOverflow => "dedup-count-overflow",
    /// LMDL-COMMIT: the next epoch's slot is the one holding the last good commit.
    CommitWouldOverwriteActive => "commit-would-overwrite-active",
    /// LMDL-DISK, FLY-COMMIT: a call on a file or directory failed; the place is the step.
    CommitIo => "commit-io",

    /// JSON-UTF8: the metadata is not well-formed UTF-8.
    MetadataNotUtf8 => "metadata-not-utf8",
    /// JSON-GRAMMAR: the metadata is not exactly one JSON value.
    MetadataNotJson => "metadata-not-json",
    /// JSON-DEPTH, PFC-ENCODE: the metadata nests more than 127 levels.
    MetadataTooDeep => "metadata-too-deep",
    /// JSON-UNIQUE: an object of the metadata has two members of one name.
    MetadataDuplicateKey => "metadata-duplicate-key",
    /// JSON-FINITE: a number of the metadata rounds to infinity.
    MetadataNumberNotFinite => "metadata-number-not-finite",
    /// PFC-MEMBERS: the metadata is not an object.
    MetadataNotObject => "metadata-not-object",
    /// PFC-MEMBERS: a required member is absent.
    MemberMissing => "member-missing",
    /// PFC-MEMBERS: a member has the wrong type or count.
    MemberType => "member-type",
    /// PFC-MEMBERS, PFC-ENCODE: a member's value is outside its range.
    MemberRange => "member-range",
    /// PFC-MEMBERS: `format_version` is neither 1 nor 2.
    VersionUnsupported => "version-unsupported",
    /// PFC-MEMBERS: version 1 cannot say `domain.periodic`.
    Version1Periodic => "version-1-periodic",
    /// PFC-OPEN: the path names a staging directory.
    BundleIsStaging => "bundle-is-staging",
    /// PFC-OPEN: nothing can be reached at the path.
    BundleMissing => "bundle-missing",
    /// PFC-OPEN: the path is not a directory.
    BundleNotDirectory => "bundle-not-directory",
    /// PFC-OPEN: there is no `metadata.json`.
    MetadataMissing => "metadata-missing",
    /// PFC-OPEN: `metadata.json` is not a regular file or cannot be read.
    MetadataUnreadable => "metadata-unreadable",
    /// PFC-OPEN: a field has no file.
    FieldMissing => "field-missing",
    /// PFC-OPEN: a field's file is not a regular file.
    FieldNotRegular => "field-not-regular",
    /// PFC-OPEN: a field's file has another length than the domain.
    FieldSize => "field-size",
    /// PFC-ASSEMBLE, PFC-EXTRACT: a part is empty or leaves the domain.
    PartOutside => "part-outside",
    /// PFC-ASSEMBLE, PFC-EXTRACT: the bytes are not eight for each cell.
    PartSize => "part-size",
    /// PFC-ASSEMBLE: two parts hold one cell.
    PartsOverlap => "parts-overlap",
    /// PFC-ASSEMBLE: no part holds some cell.
    PartsGap => "parts-gap",
    /// PFC-RESTORE: dimensions, origin or spacing differ.
    RestoreGrid => "restore-grid",
    /// PFC-RESTORE: the periodicity differs.
    RestorePeriodicity => "restore-periodicity",
    /// PFC-RESTORE: the method identity differs.
    RestoreMethod => "restore-method",
    /// PFC-RESTORE: a requested field is not in the bundle.
    RestoreFields => "restore-fields",
    /// PFC-RESTORE: the boundary conditions differ.
    RestoreBoundary => "restore-boundary",
    /// PFC-RESTORE: a stateful boundary condition has no saved state.
    RestoreBoundaryState => "restore-boundary-state",
    /// PFC-PUBLISH: the final path does not name a bundle.
    PublishName => "publish-name",
    /// PFC-PUBLISH: something is at the final path already.
    PublishExists => "publish-exists",
    /// PFC-PUBLISH: a field's id, repetition or byte count is wrong.
    PublishField => "publish-field",
    /// PFC-PUBLISH: writing failed; nothing was published.
    PublishFailed => "publish-failed",

    /// FLY-STEP-1: shorter than header and footer.
    TooShort => "too-short",
    /// FLY-STEP-1: does not begin with `FLYSESS1`.
    BadMagic => "bad-magic",
    /// FLY-STEP-1: `envelopeVersion` is not 1.
    UnsupportedVersion => "unsupported-version",
    /// FLY-STEP-1: `headerBytes` is not 32.
    BadHeaderBytes => "bad-header-bytes",
    /// FLY-STEP-1: the reserved word is not zero.
    ReservedNotZero => "reserved-not-zero",
    /// FLY-STEP-1, FLY-ENCODE: more than 64 payloads.
    TooManyPayloads => "too-many-payloads",
    /// FLY-STEP-2: does not end in `FLYSESSF`.
    BadFooterMagic => "bad-footer-magic",
    /// FLY-STEP-2: the recorded length is not the length.
    FileBytesMismatch => "file-bytes-mismatch",
    /// FLY-STEP-2: the recorded digest is not the digest.
    PrefixDigestMismatch => "prefix-digest-mismatch",
    /// FLY-STEP-3: the manifest runs into the footer.
    ManifestOutside => "manifest-outside",
    /// JSON-UTF8: the manifest is not well-formed UTF-8.
    ManifestNotUtf8 => "manifest-not-utf8",
    /// JSON-GRAMMAR: the manifest is not exactly one JSON value.
    ManifestNotJson => "manifest-not-json",
    /// JSON-DEPTH: the manifest nests more than 127 levels.
    ManifestTooDeep => "manifest-too-deep",
    /// JSON-UNIQUE: an object of the manifest has two members of one name.
    ManifestDuplicateKey => "manifest-duplicate-key",
    /// JSON-FINITE: a number of the manifest rounds to infinity.
    ManifestNumberNotFinite => "manifest-number-not-finite",
    /// FLY-STEP-3, FLY-ENCODE: a whole number above 2^53-1 in magnitude.
    ManifestNumberRange => "manifest-number-range",
    /// FLY-STEP-3: the manifest is not its own RFC 8785 text.
    ManifestNotCanonical => "manifest-not-canonical",
    /// FLY-STEP-4: the table is not directly behind the manifest.
    TableMisplaced => "table-misplaced",
    /// FLY-STEP-4: the table runs into the footer.
    TableOutside => "table-outside",
    /// FLY-STEP-5: bytes behind a name's terminator.
    NameAfterTerminator => "name-after-terminator",
    /// FLY-STEP-5, FLY-ENCODE: a payload's name is no `Id`.
    NameNotId => "name-not-id",
    /// FLY-STEP-5, FLY-ENCODE: two payloads of one name.
    NameDuplicate => "name-duplicate",
    /// FLY-STEP-5: a payload is not at its laid-out place.
    PayloadMisplaced => "payload-misplaced",
    /// FLY-STEP-5: a payload runs into the footer.
    PayloadOutside => "payload-outside",
    /// FLY-STEP-5: a payload's digest does not match its bytes.
    PayloadDigestMismatch => "payload-digest-mismatch",
    /// FLY-STEP-6: the footer is not at its laid-out place.
    TrailingGap => "trailing-gap",
    /// FLY-STEP-6: an alignment byte is not zero.
    PaddingNotZero => "padding-not-zero",
    /// FLY-STEP-7: the manifest is not an object.
    ManifestNotObject => "manifest-not-object",
    /// FLY-STEP-7: a required manifest field is absent.
    ManifestFieldMissing => "manifest-field-missing",
    /// FLY-STEP-7: the manifest's `envelopeVersion` is not the number 1.
    ManifestVersion => "manifest-version",
    /// FLY-STEP-7: the manifest's `payloads` differs from the table.
    ManifestPayloads => "manifest-payloads",
    /// FLY-PAYLOAD: no entry has this name.
    PayloadUnknown => "payload-unknown",
    /// FLY-COMMIT: a name is no plain component, or two are equal.
    CommitName => "commit-name",
    /// FLY-COMMIT: the generation's name is taken.
    CommitExists => "commit-exists",
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One refusal: why, where, and a sentence for people.
///
/// Equality compares reason and place; the sentence is free text.
#[derive(Clone, Debug)]
pub struct Rejection {
    /// The stable reason.
    pub reason: Reason,
    /// Where: a JSON pointer inside JSON, a path without a leading slash elsewhere, `None` for the whole input.
    pub at: Option<String>,
    /// What was found and what was expected.
    pub detail: String,
}

impl Rejection {
    pub(crate) fn new(reason: Reason, detail: impl Into<String>) -> Self {
        Self {
            reason,
            at: None,
            detail: detail.into(),
        }
    }

    pub(crate) fn at(mut self, place: impl Into<String>) -> Self {
        self.at = Some(place.into());
        self
    }
}

impl PartialEq for Rejection {
    fn eq(&self, other: &Self) -> bool {
        self.reason == other.reason && self.at == other.at
    }
}

impl Eq for Rejection {}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.at {
            Some(at) => write!(f, "{} at {at}: {}", self.reason, self.detail),
            None => write!(f, "{}: {}", self.reason, self.detail),
        }
    }
}

impl std::error::Error for Rejection {}
