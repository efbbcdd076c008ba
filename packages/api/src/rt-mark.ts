/** The mark of the product's asset RT, two rings that hold each other: shapes of an SVG of 32 by 32. No set of icons has it. */
export const RT_MARK =
  '<circle cx="16" cy="16" r="16" fill="#6B5BD2"/><g fill="none" stroke="#FFF" stroke-width="2.5"><circle cx="12.5" cy="16" r="5.5"/><circle cx="19.5" cy="16" r="5.5"/></g>'
