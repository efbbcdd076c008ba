import { expect, it } from 'vitest'
import { linkFields } from './link-fields.ts'

const account = `0x${'ab'.repeat(20)}`
const vault = `0x${'12'.repeat(20)}`

it('reads chain, vault and account of the app’s link', () => {
  expect(linkFields(`#chain=31337&vault=${vault}&account=${account}`)).toEqual({
    chainId: '31337',
    vault,
    account: '0xABaBaBaBABabABabAbAbABAbABabababaBaBABaB',
  })
})

it('leaves out values of another kind', () => {
  expect(linkFields('')).toEqual({})
  expect(linkFields(`#chain=one&vault=0x12&account=${account}0&to=${vault}`)).toEqual({})
})
