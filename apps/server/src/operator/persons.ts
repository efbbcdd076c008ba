import { endPerson, isOwner, setPerson } from '../platform/operator/change-person.ts'
import { ROLES, type Role } from '../platform/operator/roles.ts'
import { type Arguments, failure, isPrintable, type OperatorCommand, type Outcome } from './command.ts'
import { withDatabase } from './open-books.ts'
import { requestAction } from './request-action.ts'
import { readPersons } from './request-store.ts'

export const persons: OperatorCommand = {
  about: 'lists the persons of the operator with their roles; adds a person, changes roles, or ends them',
  words: '[set <address> <name> --roles <role,role> | end <address>, each with --reason <text> [--execute]]',
  options: ['roles', 'reason', 'execute'],
  async run(args) {
    const { words, json, reason } = args
    const [verb, address = '', name, ...rest] = words
    if (verb === undefined) return reason === undefined ? withDatabase((db) => list(db, json)) : undefined
    if (!/^0x[0-9a-fA-F]{40}$/.test(address) || rest.length > 0 || !reason || !isPrintable(reason)) return undefined
    if (verb === 'set') return set({ ...args, reason }, address.toLowerCase(), name)
    return verb === 'end' && name === undefined ? end({ ...args, reason }, address.toLowerCase()) : undefined
  },
}

type WithReason = Arguments & { readonly reason: string }

async function set(args: WithReason, address: string, name: string | undefined): Promise<Outcome | undefined> {
  const roles = (args.roles ?? '').split(',')
  if (!roles.every(isRole)) return failure(`--roles takes some of ${ROLES.join(', ')}, with commas between them.`)
  if (!name || name.length > 60 || !isPrintable(name) || name.includes(',')) return undefined
  const payload = { address, name, roles: roles.filter(isRole) }
  return withDatabase((db, site) => requestAction(site, db, { action: setPerson, payload, args }))
}

async function end(args: WithReason, address: string): Promise<Outcome> {
  return withDatabase(async (db, site) => {
    const rows = (await readPersons(db)).filter((row) => row.ended_at === null)
    const person = rows.find(({ id }) => id === address)
    if (!person) return failure(`${address} is not a person of the operator.`)
    const [first, second] = rows.filter((row) => row.id !== address && isOwner(row))
    if (isOwner(person) && !(first && second)) return failure('Two other owners must remain: add them first.')
    const remaining: [string, string] | undefined = first && second && [first.id, second.id]
    const payload = isOwner(person) && remaining ? { address, remaining } : { address }
    return requestAction(site, db, { action: endPerson, payload, args })
  })
}

async function list(db: Parameters<typeof readPersons>[0], json: boolean): Promise<Outcome> {
  const rows = await readPersons(db)
  const lines = rows.map(({ id, name, roles, since, ended_at: ended }) => {
    const state = ended ? `ended ${ended.toISOString()}` : roles
    return `${id}  ${name}  ${state}  since ${since.toISOString()}`
  })
  const none = 'The ledger has no persons yet: name two in `firstOwners` of the configuration, and start a server.'
  const text = json ? JSON.stringify({ persons: rows }, null, 2) : lines.join('\n') || none
  return { text, faults: [], exitCode: 0 }
}

function isRole(text: string): text is Role {
  return ROLES.some((role) => role === text)
}
