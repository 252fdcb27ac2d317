//! A recorded KXM delivery run: two agents, a review that asks for changes, a lost connection, a push that nobody was
//! sure of and its resolution, an approval, leases, tokens and money.

/// The local records, one a line.
pub const DELIVERY_RECORDS: &str = include_str!("../recordings/delivery.kxm.ndjson");

/// The same records as envelopes, as an import or a live producer brings them.
///
/// # Panics
/// When a record of the recording is not valid, which a test would have found.
pub fn delivery_run() -> Vec<String> {
    DELIVERY_RECORDS.lines().map(kxm_envelope).collect()
}

/// The envelope of a record.
///
/// # Panics
/// When the record is not valid.
pub fn kxm_envelope(record: &str) -> String {
    let head = kxm::decode(record).unwrap_or_else(|invalid| panic!("{invalid}: {record}"));
    kxm::to_envelope(record, &head).unwrap_or_else(|| panic!("no envelope can carry {record}"))
}
