// Types of the tables. Texts are loaded by language (scripts/texts.mjs). A new screen adds its table here.
import calendar from './calendar.js';
import camera from './camera.js';
import channels from './channels.js';
import common from './common.js';
import companies from './companies.js';
import compliance from './compliance.js';
import contacts from './contacts.js';
import deliveries from './deliveries.js';
import digests from './digests.js';
import door from './door.js';
import fault from './fault.js';
import fields from './fields.js';
import health from './health.js';
import history from './history.js';
import importReasons from './importReasons.js';
import imports from './imports.js';
import inbox from './inbox.js';
import item from './item.js';
import items from './items.js';
import kinds from './kinds.js';
import list from './list.js';
import locations from './locations.js';
import mail from './mail.js';
import mailTexts from './mailTexts.js';
import notTold from './notTold.js';
import records from './records.js';
import reminders from './reminders.js';
import requests from './requests.js';
import requirements from './requirements.js';
import session from './session.js';
import settings from './settings.js';
import signIn from './signIn.js';
import start from './start.js';
import status from './status.js';
import stickers from './stickers.js';
import types from './types.js';
import unreadReasons from './unreadReasons.js';
import uploadReasons from './uploadReasons.js';
import vehicles from './vehicles.js';
import webhooks from './webhooks.js';

/**
 * Texts by table and row. The languages of a row are in the order English, German, French, Spanish, Italian,
 * Dutch.
 *
 * @typedef {readonly [en: string, de: string, fr: string, es: string, it: string, nl: string]} Row
 */
export const tables = {
  calendar,
  camera,
  channels,
  common,
  companies,
  compliance,
  contacts,
  deliveries,
  digests,
  door,
  fault,
  fields,
  health,
  history,
  importReasons,
  imports,
  inbox,
  item,
  items,
  kinds,
  list,
  locations,
  mail,
  mailTexts,
  notTold,
  records,
  reminders,
  requests,
  requirements,
  session,
  settings,
  signIn,
  start,
  status,
  stickers,
  types,
  unreadReasons,
  uploadReasons,
  vehicles,
  webhooks,
};
