/** The type with everything that the members of a union have. */
export type Merged<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void
  ? All
  : never

/** Merges objects with different keys into one. */
export function merge<Each extends object>(all: readonly Each[]): Merged<Each> {
  return Object.assign({}, ...all)
}
