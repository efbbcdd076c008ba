import { expect, test } from 'vitest'
import type { TestServer } from '../../../testing/server.ts'
import { hubSteps } from './hub-steps.ts'

const HOUR = 3_600
const DAY = 24 * HOUR

/** Tests requests of stars on the server of the feature. Several days pass. */
export function testUpgrades(server: () => TestServer): void {
  const { newMember, overview, deposit, request, approve, advance, noticesOf } = hubSteps(server)

  test('a parent approves a request, and only once', async () => {
    const grandparent = await newMember()
    const parent = await newMember({ parent: grandparent })
    const child = await newMember({ parent, rt: '300' })
    const stranger = await newMember()
    await deposit(child, '300')
    // Of ten requests at the same moment one is opened, so the parent gets one notice.
    const asked = await Promise.all(Array.from({ length: 10 }, () => request(child)))
    expect(asked.map(({ code }) => code).toSorted()).toEqual([1, ...Array(9).fill(20010)])
    const { data } = asked.find(({ code }) => code === 1)!
    expect(data).toMatchObject({ star: 1, status: 'Requested', passed_at: null, passed_by: null })
    expect(await request(child)).toMatchObject({
      code: 20010,
      data: { reason: 'request_open', request_id: data.request_id },
    })
    for (const other of [grandparent, stranger, child]) expect((await approve(other, data.request_id)).code).toBe(20009)
    await advance(1)
    const { items } = await server().ok('richChildren', {}, { token: parent.token })
    const waiting = { request_id: data.request_id, star: 1, status: 'Requested', passes_at: data.passes_at }
    expect(items).toMatchObject([{ name: 'Member', level: 0, star: 0, request: waiting }])
    expect(Date.parse(data.passes_at ?? '') - Date.parse(data.created_at)).toBe(72 * HOUR * 1_000)
    expect(await noticesOf(parent)).toEqual(['upgrade_requested'])

    const both = await Promise.all([approve(parent, data.request_id), approve(parent, data.request_id)])
    expect(both.map(({ code }) => code).toSorted()).toEqual([1, 20010])
    expect((await server().ok('userinfo', {}, { token: child.token })).star).toBe(1)
    expect((await server().ok('richRequests', {}, { token: child.token })).items).toMatchObject([
      { status: 'Passed', star: 1, passed_by: 'parent' },
    ])
    await advance(1)
    expect(await noticesOf(child)).toEqual(['upgrade_passed'])
  })

  test('a request without a response passes by the system', async () => {
    const parent = await newMember({ parent: await newMember() })
    const child = await newMember({ parent, rt: '100' })
    await deposit(child, '100')
    const { request_id } = (await request(child)).data
    await advance(72 * HOUR)
    expect(await approve(parent, request_id)).toMatchObject({ code: 20010, data: { reason: 'already_passed' } })
    const { items } = await server().ok('richRequests', {}, { token: child.token })
    expect(items).toMatchObject([{ request_id, status: 'Passed', passes_at: null, passed_by: 'system' }])
    expect((await overview(child)).star).toBe(1)
    expect(await noticesOf(child)).toEqual(['upgrade_passed'])
  })

  test('an account gets one star a day, by inviter or system', async () => {
    const top = await newMember({ rt: '200' })
    const child = await newMember({ parent: top, rt: '200' })
    for (const user of [top, child]) await deposit(user, '200')
    expect((await request(top)).data).toMatchObject({ status: 'Passed', passed_by: 'system' })
    const first = (await request(child)).data
    expect((await approve(top, first.request_id)).data).toMatchObject({ status: 'Passed', passed_by: 'parent' })
    const { next_release_at: midnight, counts_from } = await overview(top)
    expect(counts_from).toBe(midnight)
    for (const user of [top, child])
      expect(await request(user)).toMatchObject({
        code: 20008,
        msg: 'You can gain one star a day, and have gained today’s.',
        data: { reason: 'one_star_a_day', opens_at: midnight },
      })
    await advance(DAY)
    expect((await request(top)).data).toMatchObject({ star: 2, status: 'Passed' })
    expect((await request(child)).data).toMatchObject({ star: 2, status: 'Requested' })
  })

  test('lists each child once, the one with the latest request first', async () => {
    const parent = await newMember()
    const quiet = await newMember({ parent })
    const busy = await newMember({ parent, rt: '200' })
    await newMember({ parent, uid: null })
    await deposit(busy, '200')
    for (let star = 1; star <= 2; star++) {
      await approve(parent, (await request(busy)).data.request_id)
      await advance(DAY)
    }
    const { items } = await server().ok('richChildren', {}, { token: parent.token })
    expect(items.map(({ uid }) => uid)).toEqual([(await overview(busy)).uid, (await overview(quiet)).uid])
    expect(items).toMatchObject([
      { star: 2, level: 0, request: { star: 2, status: 'Passed', passes_at: null } },
      { star: 0, level: 0, request: null },
    ])
    const first = await server().ok('richChildren', { limit: 1 }, { token: parent.token })
    const rest = await server().ok(
      'richChildren',
      { limit: 1, cursor: first.next_cursor ?? '' },
      { token: parent.token },
    )
    expect([...first.items, ...rest.items]).toEqual(items)
    expect(rest.next_cursor).toBeNull()
  })
}
