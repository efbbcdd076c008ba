/** The id of a section's heading in the page, apart from the ids that the app itself uses. */
export function sectionElementId(id: string): string {
  return `section-${id}`
}
