import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import { type Holder, newHolder } from './people.ts'
import { WALLET_NAME } from './signing-wallet.ts'
import { type Texts, waitForSheetToLeave } from './steps.ts'

const DOCS = join(import.meta.dirname, '../docs')
const BASE_URL = `http://127.0.0.1:${process.env.E2E_PORT}`
/** A README that takes seconds to load is not read. */
const MAX_BYTES = 2_000_000
/** How long a picture stays: one to read, one while something moves, and one while a user types. */
const [READ_MS, MOVE_MS, TYPE_MS] = [2_400, 90, 220]

/** The moving picture of each README. */
const PICTURES = [
  ['en', 'first-swap.webp'],
  ['zh-HK', 'first-swap.zh-HK.webp'],
] as const

for (const [locale, file] of PICTURES) {
  test(`a swap and the check of the balance, in ${locale}`, async ({ browser }) => {
    test.setTimeout(300_000)
    const context = { baseURL: BASE_URL, chainPort: Number(process.env.E2E_CHAIN_PORT), locale }
    const holder = await newHolder(browser, context)
    await prepare(holder)
    const film = filmOf(holder)
    await swap(holder, film)
    await checkBalance(holder, film)
    film.write(join(DOCS, file))
    expect(statSync(join(DOCS, file)).size).toBeLessThan(MAX_BYTES)
    await holder.page.context().close()
  })
}

interface Film {
  /** Photographs the page once everything has come to rest. */
  read(): Promise<void>
  /** Photographs the page several times while it moves. */
  move(): Promise<void>
  type(): Promise<void>
  /** Writes all pictures as one that moves. */
  write(path: string): void
}

/** An account that may swap, before the pictures begin. */
async function prepare({ steps }: Holder): Promise<void> {
  await steps.open('/')
  await steps.signIn(WALLET_NAME)
  await steps.takeTestTokens()
  await steps.transferIn('USDT', '900')
  await steps.activateByBalance()
}

async function swap({ page, steps }: Holder, film: Film): Promise<void> {
  const { t, button, tab } = steps
  await steps.open('/')
  await expect(page.getByText(t('home_steps_count', { done: '4', all: '5' }))).toBeVisible()
  await film.read()
  await tab('nav_swap')
  await film.read()
  const amount = page.getByRole('textbox', { name: t('swap_sell'), exact: true })
  for (const typed of ['1', '10', '100']) {
    await amount.fill(typed)
    await film.type()
  }
  await expect(page.getByText(t('swap_minimum'))).toBeVisible()
  await film.read()
  await button('swap_action').click()
  await film.move()
  const sheet = page.getByRole('dialog')
  await expect(sheet.getByText(t('swap_confirm_title'))).toBeVisible()
  await film.read()
  await sheet.getByRole('button', { name: t('swap_action') }).click()
  await expect(sheet.getByText(t('swap_status_completed'))).toBeVisible()
  await film.read()
  await sheet.getByRole('button', { name: t('swap_done') }).click()
  await waitForSheetToLeave(page)
}

async function checkBalance(holder: Holder, film: Film): Promise<void> {
  const { page, steps } = holder
  const { t, tab } = steps
  await nextHeader(holder)
  await tab('nav_wallet')
  const check = page.getByRole('button', { name: t('proof_balance_check') })
  await check.scrollIntoViewIfNeeded()
  await film.read()
  await check.click()
  await film.move()
  await expect(balanceSheet(page, t).getByText(t('proof_balance_holds'), { exact: true })).toBeVisible()
  await film.read()
  await film.read()
}

function balanceSheet(page: Page, t: Texts) {
  return page.getByRole('dialog', { name: t('proof_balance_title'), exact: true })
}

/** Moves the local clock to the next hour, whose header has the swap. */
async function nextHeader({ page, call }: Holder): Promise<void> {
  const before = (await call('/proof/mine')).data?.number ?? '0'
  await page.request.post('/api/Local/advance', { form: { seconds: '3600' } })
  await expect
    .poll(async () => Number((await call('/proof/mine')).data?.number ?? 0), { timeout: 60_000 })
    .toBeGreaterThan(Number(before))
}

function filmOf({ page, steps }: Holder): Film {
  const pictures: { readonly path: string; readonly ms: number }[] = []
  const shoot = async (ms: number) => {
    const path = test.info().outputPath(`${String(pictures.length).padStart(3, '0')}.png`)
    await page.screenshot({ path })
    pictures.push({ path, ms })
  }
  return {
    async read() {
      await expect(page.getByRole('status', { name: steps.t('app_loading') })).toHaveCount(0)
      await page.evaluate(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)))
      await shoot(READ_MS)
    },
    async move() {
      for (let picture = 0; picture < 4; picture++) await shoot(MOVE_MS)
    },
    type: () => shoot(TYPE_MS),
    write: (path) => joinPictures(pictures, path),
  }
}

function joinPictures(pictures: readonly { readonly path: string; readonly ms: number }[], to: string): void {
  const frames = pictures.flatMap(({ path, ms }) => ['-d', String(ms), path])
  try {
    execFileSync('img2webp', ['-loop', '0', '-lossy', '-q', '80', '-m', '6', ...frames, '-o', to], { stdio: 'pipe' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new Error('There is no img2webp. Install it (Debian: apt-get install webp).', { cause: error })
  }
}
