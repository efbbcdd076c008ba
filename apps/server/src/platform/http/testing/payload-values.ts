/** Values that are nearly right, wrong in a known way, or of the wrong kind. */
export const ODD_VALUES: readonly unknown[] = [
  ...['', ' ', '0', '-0', '-1', '1', '1e5', '0x10', '00', '1.', '.5', '+1', '1,000', '0.0000000000000000001', 'NaN'],
  ...['Infinity', '9'.repeat(30), '9'.repeat(31), '1'.repeat(500), '\u0000', 'a\u0000b', '\ud800', '\u202e', '👛', 'ß'],
  ...['１０', "' or 1=1 --", '%00', '../../etc/passwd', '<script>', '{{7*7}}', '[object Object]', 'null', 'undefined'],
  ...['true', 'USDT', 'BNB', 'RT', 'usdt', 'bnb-usdt', 'eth-usdt', 'rt-usdt', 'BNBUSDT', 'XXXXUSDT', '1m', '1d'],
  ...['deposit', 'all', '0000-01-01', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999999999Z', '2026-02-30'],
  ...['2026-11-21T25:00:00Z', '2026-11-21T09:00:00+99:99', '0000-01-01T00:00:00+23:59', '9999-12-31T23:59:59-23:59'],
  ...['9999999999', '99999999999', '0x', `0x${'0'.repeat(64)}`, `0x${'f'.repeat(64)}`, `0x${'0'.repeat(40)}`],
  ...[`0x${'F'.repeat(40)}`, `0x${'ab'.repeat(65)}`, 'zzzzzzzzz-a', '0-0', '999999999999999999-999999', '1-1'],
  ...['OTk5OTk5OTk5OTk5OTk5OmFiYw', null, true, false, 0, 1, -1, 0.5, 1e21, 2 ** 53, [], [[]], {}, { a: { b: 1 } }],
  ...[['1', '2'], { length: 1 }],
]

/** Something that is right for each field, so that one odd value meets the code behind the schema. */
export const RIGHT_VALUES: Readonly<Record<string, unknown>> = {
  address: `0x${'ab'.repeat(20)}`,
  signature: `0x${'ab'.repeat(65)}`,
  pool_id: 'bnb-usdt',
  amount: '12.5',
  inverse: 1,
  min_amount_out: '0',
  deadline: '2036-11-21T09:00:00Z',
  transaction_id: 'none',
  interval: '1h',
  asset: 'USDT',
  tx_hash: `0x${'ab'.repeat(32)}`,
  symbol: 'BNBUSDT',
  price: '620',
  seconds: 1,
  users: 1,
  days: 1,
}
