import { newKey, type TestServer, type TestUser } from '../../../testing/server.ts'

let uids = 100_000
/** A UID that no other test has. */
export const newUid = () => String(++uids)

/** Steps of a member of the upgrade hub, on the server of the feature. */
export function hubSteps(server: () => TestServer) {
  /** An activated account with RT that was bought from the pool, and a linked UID unless it is null. */
  async function newMember({
    parent,
    rt = '0',
    uid = newUid(),
  }: {
    parent?: TestUser
    rt?: string
    uid?: string | null
  } = {}): Promise<TestUser> {
    const pid = parent && (await server().ok('userinfo', {}, { token: parent.token })).invite_code
    const user = await server().newUser(pid === undefined ? {} : { pid })
    await user.transferIn('USDT', '10')
    await user.activateByBalance()
    if (rt !== '0') {
      await user.transferIn('USDT', '9000')
      await buyRt(user, rt)
    }
    if (uid !== null) await server().ok('linkUid', { uid, name: 'Member' }, { token: user.token, key: newKey() })
    return user
  }

  /** Buys at least so much RT from the pool. */
  async function buyRt({ token }: TestUser, amount: string): Promise<void> {
    const swap = { pool_id: 'rt-usdt', amount, inverse: 1, exact: 'out', max_amount_in: '9000' } as const
    await server().ok('doSwap', { ...swap, deadline: '2099-01-01T00:00:00Z' }, { token, key: newKey() })
  }

  const overview = ({ token }: TestUser) => server().ok('richOverview', {}, { token })
  const deposit = ({ token }: TestUser, amount: string) =>
    server().call('depositRt', { amount }, { token, key: newKey() })
  const request = ({ token }: TestUser) => server().call('requestUpgrade', {}, { token, key: newKey() })
  const approve = ({ token }: TestUser, request_id: string) =>
    server().call('approveUpgrade', { request_id }, { token, key: newKey() })
  const collect = ({ token }: TestUser) => server().call('collectRt', {}, { token, key: newKey() })
  const takeBack = ({ token }: TestUser) => server().call('takeBackRt', {}, { token, key: newKey() })
  const leave = ({ token }: TestUser) => server().call('stepDown', {}, { token, key: newKey() })
  const advance = (seconds: number) => server().ok('localAdvance', { seconds })
  const noticesOf = async ({ token }: TestUser) =>
    (await server().ok('notices', {}, { token })).items
      .map(({ kind }) => kind)
      .filter((kind) => kind.startsWith('upgrade'))
      .toReversed()
  const unitsOf = async (account: string) =>
    (
      await server().db.query<{ units: bigint }>(`select units from balances where account = $1 and asset = 'RT'`, [
        account,
      ])
    )[0]?.units ?? 0n
  return { newMember, overview, deposit, request, approve, collect, takeBack, leave, advance, noticesOf, unitsOf }
}
