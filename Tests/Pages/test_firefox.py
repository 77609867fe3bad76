"""The main ways of all in Firefox: the same tests as in Chromium, but for what only that browser can be told to do."""

import test_individual
import test_mailing
import test_payments
import test_third_party
import test_wearer
import test_webhooks
from firefox import Firefox


class Registering(test_individual.Registering):
    new_browser = Firefox


class Seeing(test_individual.Seeing):
    new_browser = Firefox


class Deciding(test_individual.Deciding):
    new_browser = Firefox


class ThirdParty(test_third_party.ThirdParty):
    new_browser = Firefox


class Webhooks(test_webhooks.Webhooks):
    new_browser = Firefox


class Payments(test_payments.Payments):
    new_browser = Firefox
    age = 2


class Mailing(test_mailing.Mailing):
    new_browser = Firefox


class Wearer(test_wearer.Wearer):
    new_browser = Firefox
    person = 11
