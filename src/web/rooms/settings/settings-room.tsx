import type { Request } from 'express';
import { type Board, InvalidPayload } from '../../../ledger/index.ts';
import type { Notices } from '../../guard/notices.ts';
import { fieldNames, fieldOf } from '../../guard/read-form.ts';
import type { VisitHandler } from '../../guard/visits.ts';
import { toSpanText } from '../../parts/times.tsx';
import { sendPage, sendParts } from '../../send-page.ts';
import type { ReadFrameFacts } from '../frame-facts.ts';
import { SettingsPage, SettingsParts } from './settings-page.tsx';

const known = ['form_token', 'preset', 'seconds'];

export interface SettingsRoom {
  readonly page: VisitHandler;
  readonly parts: VisitHandler;
  readonly change: VisitHandler;
}

export function createSettingsRoom(deps: {
  readonly board: Board;
  readonly readFrameFacts: ReadFrameFacts;
  readonly notices: Notices;
}): SettingsRoom {
  const { board, readFrameFacts, notices } = deps;
  return {
    async page(visit) {
      const [facts, settings] = await Promise.all([readFrameFacts(visit), board.readSettings()]);
      const notice = notices.take(visit.request, visit.response);
      sendPage(visit.response, 200, <SettingsPage facts={facts} settings={settings} notice={notice} fault={null} />);
    },

    async parts(visit) {
      sendParts(visit.response, <SettingsParts facts={await readFrameFacts(visit)} />);
    },

    async change(visit) {
      const sent = fieldOf(visit.request, 'preset') ?? fieldOf(visit.request, 'seconds') ?? '';
      try {
        const ttlSeconds = parseSeconds(visit.request, sent.trim());
        const settings = await board.changeSettings({ ttlSeconds }, visit.session.displayName);
        const span = toSpanText(settings.ttlSeconds * 1_000);
        notices.leave(visit.response, { tone: 'good', text: `Saved: new requests stay open for ${span}.` });
        visit.response.redirect(303, '/settings');
      } catch (error) {
        if (!(error instanceof InvalidPayload)) throw error;
        const [facts, settings] = await Promise.all([readFrameFacts(visit), board.readSettings()]);
        const fault = { seconds: sent.slice(0, 40), text: `${error.faults.map(toSentence).join('; ')}.` };
        sendPage(visit.response, 422, <SettingsPage facts={facts} settings={settings} notice={null} fault={fault} />);
      }
    },
  };
}

/** @throws InvalidPayload; the range is the board's to judge */
function parseSeconds(request: Request, sent: string): number {
  const unknown = fieldNames(request).find((name) => !known.includes(name));
  if (unknown !== undefined) throw new InvalidPayload([`${unknown.slice(0, 40)}: there is no such setting`]);
  if (!/^\d{1,9}$/.test(sent))
    throw new InvalidPayload(['ttlSeconds: must be a whole number of seconds, such as 3600']);
  return Number(sent);
}

/** The field's own name means nothing to a person who sees the field. */
function toSentence(fault: string): string {
  return fault.replace(/^ttlSeconds: /, 'it ');
}
