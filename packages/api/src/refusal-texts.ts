import { CODES, type CodeName, type Locale, type ReasonOf, type RefusalName } from './codes.ts'

type Text = Readonly<Record<Locale, string>>
type TextsOf<Name extends RefusalName> = Readonly<Record<ReasonOf<Name>, Text>>

/** The screens have the texts of the other suspensions, with figures. */
type WithAllTexts = Exclude<RefusalName, 'trading_suspended'>

/**
 * Texts that say what happened to this loan, box, order or request, where the text of the code would not. A reason without a
 * text does not compile. The screens add that no funds moved.
 */
export const REASON_TEXTS = {
  conflict: {
    key_reused: {
      en: 'This request was sent before with other details. Check your activity before you send it again.',
      'zh-HK': '此要求早前已以其他內容發送，重新發送前請先查看紀錄。',
    },
    cursor_moved: { en: 'The ledger has moved on meanwhile. Try again.', 'zh-HK': '帳本已有更新，請再試一次。' },
    vault_replaced: {
      en: 'The vault has been replaced. Reload the app and try again.',
      'zh-HK': '保管庫已更換，請重新載入後再試。',
    },
    already_activated: { en: 'This account is already activated.', 'zh-HK': '此帳戶早已啟用。' },
    unknown_terms: {
      en: 'The operator’s terms have changed. Reload the app, read them and try again.',
      'zh-HK': '營運方的條款已更新，請重新載入並閱讀條款後再試。',
    },
    already_delivered: { en: 'This alert has just triggered.', 'zh-HK': '此提示剛剛觸發。' },
    too_many_alerts: {
      en: 'You have as many active alerts as one account can have. Remove one first.',
      'zh-HK': '生效中的提示已達上限，請先移除一個。',
    },
    too_often: {
      en: 'You set too many alerts within an hour. Try again later.',
      'zh-HK': '一小時內設定的提示太多，請稍後再試。',
    },
    no_push: {
      en: 'This server doesn’t send notifications to devices. Alerts appear in the app.',
      'zh-HK': '此伺服器不會向裝置推送通知，提示會在應用程式內顯示。',
    },
    voucher_signed: {
      en: 'This transfer is signed already, so it can’t be cancelled. Submit it, or wait for its deadline.',
      'zh-HK': '這筆轉出已簽署，不能取消。請提交，或等待截止時間。',
    },
    transfer_over: {
      en: 'This transfer has already ended. See your transfers out.',
      'zh-HK': '這筆轉出早已結束，請查看轉出紀錄。',
    },
    nothing_to_claim: {
      en: 'These rewards were already claimed, or have expired.',
      'zh-HK': '這些獎勵已領取或已過期。',
    },
    not_to_be_cleared: {
      en: 'This order has recovered and can’t be liquidated now.',
      'zh-HK': '此訂單已回復正常，現時不能清算。',
    },
    already_cleared: {
      en: 'This order is closed: it was cleared or repaid first.',
      'zh-HK': '此訂單已結束：已有人先行清算或還款。',
    },
    loan_repaid: {
      en: 'This loan is already repaid in full. See your loan orders.',
      'zh-HK': '這筆借貸早已還清，請查看借貸訂單。',
    },
    loan_liquidated: {
      en: 'This loan was liquidated and is closed. See your loan orders.',
      'zh-HK': '這筆借貸已被清算並結束，請查看借貸訂單。',
    },
    loan_to_be_cleared: {
      en: 'This loan can be liquidated now, so you can’t take back collateral. Repay or add collateral first.',
      'zh-HK': '這筆借貸現可被清算，不能取回抵押品。請先還款或追加抵押品。',
    },
    loan_overdue: {
      en: 'The repayment time of this loan has passed, so you can’t take back collateral. Repay in full first.',
      'zh-HK': '這筆借貸已過還款時間，不能取回抵押品。請先全數還款。',
    },
    plan_active: { en: 'This plan is already active.', 'zh-HK': '這項計劃已在生效中。' },
    plan_paused: { en: 'This plan is already paused.', 'zh-HK': '這項計劃早已暫停。' },
    plan_ended: {
      en: 'This plan has ended and can’t be changed. Plan it again to continue.',
      'zh-HK': '這項計劃已終止，不能更改。如要繼續，請重新設定。',
    },
    plan_date_passed: {
      en: 'No run is left before the last day of this plan. Plan it again to continue.',
      'zh-HK': '這項計劃在結束日期前已沒有執行時間。如要繼續，請重新設定。',
    },
    uid_taken: { en: 'This UID is linked to another account.', 'zh-HK': '此 UID 已連結其他帳戶。' },
    already_linked: { en: 'Your account already has a UID.', 'zh-HK': '你的帳戶早已連結 UID。' },
    nothing_to_return: {
      en: 'Your star needs your whole deposit. There is nothing to take back.',
      'zh-HK': '你的星級需要全部存入的 RT，沒有可取回的部分。',
    },
    nothing_to_collect: { en: 'There’s nothing to collect now.', 'zh-HK': '目前沒有可領取的 RT。' },
    no_star: {
      en: 'You have no star. You can take your deposit back immediately.',
      'zh-HK': '你沒有星級，可即時取回存入的 RT。',
    },
    stepping_down: {
      en: 'You’ve given notice to step down. Wait until your deposit has returned.',
      'zh-HK': '你正在降星，請待存入的 RT 退回。',
    },
    request_open: { en: 'Your last request is still open.', 'zh-HK': '你上次的申請仍待批核。' },
    highest_star: { en: 'You have the highest star.', 'zh-HK': '你已達最高星級。' },
    already_passed: { en: 'This request is already approved.', 'zh-HK': '此申請已獲批核。' },
    withdrawn: { en: 'This request was withdrawn.', 'zh-HK': '此申請已撤回。' },
  },
  not_open: {
    clicked: { en: 'You already have today’s box.', 'zh-HK': '你已取得今日盲盒。' },
    one_star_a_day: {
      en: 'You can gain one star a day, and have gained today’s.',
      'zh-HK': '每日只可升一星，你今日已升星。',
    },
  },
  not_available: {
    operator_account: { en: 'The operator’s own accounts can’t do this.', 'zh-HK': '營運方的帳戶不能使用此功能。' },
    frozen: {
      en: 'Your account is frozen. You can still repay, add collateral, transfer in and cancel plans. Contact the operator.',
      'zh-HK': '你的帳戶已被凍結，仍可還款、追加抵押品、轉入及取消計劃閃兌。如有疑問，請聯絡營運方。',
    },
  },
  account_is_leaving: {
    advance_owed: {
      en: 'This account owes an advance for its exit. Once that is taken back, you can use your balance again.',
      'zh-HK': '此帳戶尚欠退出墊款。收回墊款後，你可再次使用餘額。',
    },
  },
  price_moved: {
    deadline_passed: { en: 'The deadline has passed. Get a new quote.', 'zh-HK': '已過成交限期，請重新報價。' },
  },
  price_out_of_date: {
    apart: {
      en: 'The price sources differ. Try again when they agree.',
      'zh-HK': '兩個價格來源有差距，請待兩者一致後再試。',
    },
    one_source: {
      en: 'There is only one price source now. Try again later.',
      'zh-HK': '目前只有一個價格來源，請稍後再試。',
    },
    stale: { en: 'The price is out of date. Try again in a few seconds.', 'zh-HK': '價格已過時，請於數秒後再試。' },
    unknown: { en: 'No price is known now. Try again later.', 'zh-HK': '目前沒有價格，請稍後再試。' },
  },
  too_many_requests: {
    files: {
      en: 'The server is sending too many files. Try again in a minute.',
      'zh-HK': '伺服器正傳送太多檔案，請一分鐘後再試。',
    },
    files_of_address: {
      en: 'You are downloading too many files at a time. Wait until one is complete.',
      'zh-HK': '同時下載的檔案太多，請待其中一個完成後再試。',
    },
    node_budget: { en: 'Too many sign-ins now. Try again in a minute.', 'zh-HK': '目前登入人數過多，請一分鐘後再試。' },
    node_budget_of_address: {
      en: 'Too many sign-ins from your network. Try again in a minute.',
      'zh-HK': '你的網絡登入過於頻密，請一分鐘後再試。',
    },
  },
  trading_suspended: {
    no_header: {
      en: 'Trading is stopped: the newest valid header of the books is over two hours old. You can cancel, and repay or add collateral until the header is 24 hours old. Try again later.',
      'zh-HK':
        '交易已暫停：最近一份有效的帳本摘要已超過兩小時。你仍可取消；在該摘要滿 24 小時之前，亦可還款及追加抵押品。請稍後再試。',
    },
    no_header_day: {
      en: 'Repaying and adding collateral are stopped too: the newest valid header of the books is over 24 hours old. If your repayment time passes meanwhile, it moves to 24 hours after they work again.',
      'zh-HK':
        '還款及追加抵押品亦已暫停：最近一份有效的帳本摘要已超過 24 小時。若還款時間於暫停期間屆滿，將順延至恢復後 24 小時。',
    },
  },
} as const satisfies { readonly [Name in WithAllTexts]?: TextsOf<Name> } & {
  readonly trading_suspended: Partial<TextsOf<'trading_suspended'>>
}

/** The text of an envelope: that of its reason where there is one, else that of its code. */
export function refusalText(name: CodeName, data: unknown, locale: Locale): string {
  const texts: Readonly<Record<string, Text>> =
    name in REASON_TEXTS ? REASON_TEXTS[name as keyof typeof REASON_TEXTS] : {}
  const reason = (data as { readonly reason?: unknown } | null | undefined)?.reason
  const text = typeof reason === 'string' && Object.hasOwn(texts, reason) ? texts[reason] : undefined
  return (text ?? CODES[name].msg)[locale]
}
