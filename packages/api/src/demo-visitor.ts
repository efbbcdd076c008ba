/**
 * The key of the account that the Local demo wallet offers where demo data was filled in, so that visitors find a history.
 * Everyone knows it: it holds play money of a local chain only.
 */
export const DEMO_VISITOR_KEY = '0xc1ea22e11c1ea22e11c1ea22e11c1ea22e11c1ea22e11c1ea22e11c1ea22e110'

/** The address of that key, in lower case. */
export const DEMO_VISITOR_ADDRESS = '0xad8086875430b57b596aaa317ef694dcc6a40d33'
