/** Says in a file of a user's entries that older ones are not in it. Files have no language, so it is in both. */
export const ARCHIVED_NOTE =
  'Older entries are in an archive: ask the operator for them. 較早的紀錄已存檔，如需查閱，請聯絡營運方。'
