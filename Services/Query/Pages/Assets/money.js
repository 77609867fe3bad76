// Amounts of money.

import { locale } from "../web/words.js";

/** An amount in a currency's hundredths, as the reader writes it. */
export const money = ({ amount, currency }) =>
  new Intl.NumberFormat(locale, { style: "currency", currency }).format(amount / 100);
