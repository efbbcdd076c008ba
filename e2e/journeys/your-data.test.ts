import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { type OwnServer, startOwnServer } from '../own-server.ts'
import { newHolder } from '../people.ts'
import { newTrader } from '../trader.ts'

const TERMS = { version: '2026-11', url: 'https://pool.example/terms' }

let server: OwnServer
let folder: string
test.beforeAll(async () => {
  test.setTimeout(180_000)
  folder = await mkdtemp(join(tmpdir(), 'clearwell-terms-'))
  const local = JSON.parse(await readFile(join(import.meta.dirname, '../../apps/server/config/local.json'), 'utf8'))
  const operator = { name: null, place: null, terms: TERMS, helpUrl: null }
  await writeFile(join(folder, 'local.json'), JSON.stringify({ ...local, operator }))
  server = await startOwnServer({ CONFIG_FILE: join(folder, 'local.json') })
})
test.afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

test('a user accepts the terms, downloads the data and erases a part', async ({ browser }) => {
  test.slow()
  const { baseURL, chainPort } = server
  const { key } = await newTrader({ USDT: '20', activates: false, baseURL, chainPort })
  const user = await newHolder(browser, { key, baseURL, chainPort })
  const { page, steps, call } = user
  const { t, button } = steps
  const dialog = page.getByRole('dialog')
  await user.openSignedIn('/wallet')

  await test.step('activation waits for the acceptance and sends the version', async () => {
    await steps.open('/swap/activate')
    await page.getByRole('radio', { name: t('activation_by_balance') }).click()
    await button('activation_by_balance_action').click()
    const confirm = dialog.getByRole('button', { name: t('activation_by_balance_action') })
    await expect(confirm).toBeDisabled()
    await expect(
      dialog.getByRole('link', { name: t('activation_terms_read', { version: TERMS.version }) }),
    ).toHaveAttribute('href', TERMS.url)
    await page.screenshot({ path: test.info().outputPath('terms.png') })
    await dialog.getByRole('checkbox', { name: t('activation_terms_accept') }).check()
    await confirm.click()
    await expect(page.getByText(t('activation_done'), { exact: true })).toBeVisible()
  })

  await test.step('the file has the accepted terms', async () => {
    await steps.open('/profile/data')
    await expect(page.getByText(new RegExp(`${TERMS.version}.*`)).first()).toBeVisible()
    const [file] = await Promise.all([page.waitForEvent('download'), button('data_download').click()])
    expect(file.suggestedFilename()).toMatch(/^clearwell-data-\d{4}-\d\d-\d\d\.json$/)
    const { parts } = JSON.parse(await readFile(await file.path(), 'utf8'))
    const accepted = parts.find(({ table }: { table: string }) => table === 'accepted_terms')
    expect(accepted.rows).toMatchObject([{ version: TERMS.version }])
  })

  await test.step('erasing lists the kept data, and the session goes on', async () => {
    await button('data_erase').click()
    await dialog.getByRole('button', { name: t('data_erase') }).click()
    await expect(page.getByRole('heading', { name: t('data_done') })).toBeVisible()
    await expect(dialog.getByText(t('data_why_ledger')).first()).toBeVisible()
    await page.screenshot({ path: test.info().outputPath('erased.png') })
    expect((await call('/Notice/list')).data.items).toEqual([])
  })
  await page.context().close()
})
