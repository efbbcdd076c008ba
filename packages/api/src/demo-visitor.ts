/**
 * The key of the account that the Local demo wallet offers where demo data was filled in, so that visitors find a history.
 * Everyone knows it: it holds play money of a local chain only.
 */
export const DEMO_VISITOR_KEY = '0xc1ea22e11c1ea22e11c1ea22e11c1ea22e11c1ea22e11c1ea22e11c1ea22e110'
