// The state of a Codex turn, which gets its id after it was requested, and why a turn failed or the process ended.
import { stripVTControlCharacters } from 'node:util';
import { parseJson } from '@roost/core/display/parse-json';
import type { ProcessEnd } from '@roost/machine/line-process';
import { isJsonObject, stringAt } from '../../base/json-object.ts';
import type { TurnEnd } from '../../live/turns.ts';
import type { NativeTurnError } from './protocol.ts';

type Running = {
	id?: string;
	named: PromiseWithResolvers<string | undefined>;
	over: PromiseWithResolvers<void>;
};

export function createTurnState() {
	let running: Running | undefined;
	let asking = new AbortController();

	return {
		starting(): void {
			asking = new AbortController();
			running = { named: Promise.withResolvers(), over: Promise.withResolvers() };
		},
		/** Only now can it be interrupted. */
		begun(id: string): void {
			if (!running || running.id !== undefined) return;
			running.id = id;
			running.named.resolve(id);
		},
		ended(): void {
			running?.named.resolve(undefined);
			running?.over.resolve();
			running = undefined;
		},
		isRunning: () => running !== undefined,
		id: () => running?.id,
		/** Resolves with the id; undefined where it ends without one. */
		known: async () => await running?.named.promise,
		over: async () => await running?.over.promise,
		/** Aborted when pending asks are obsolete. */
		signal: (): AbortSignal => asking.signal,
		stopAsking: () => asking.abort(),
	};
}

export function toFailedTurn(error: NativeTurnError | null | undefined): Extract<TurnEnd, { type: 'failed' }> {
	if (!error) return { type: 'failed', error: 'unknown', why: 'Codex ended this turn with an error but gave no reason.' };
	return { type: 'failed', error: toWord(error), why: turnErrorText(error) };
}

/** By Codex' error kind, else by the HTTP status. */
function toWord({ codexErrorInfo: info }: NativeTurnError): string {
	const kind = typeof info === 'string' ? info : isJsonObject(info) ? (Object.keys(info)[0] ?? '') : '';
	const status = statusOf(info);
	if (status === 429 || RATE_LIMITS.has(kind)) return 'rate_limit';
	if (status === 401 || status === 403 || kind === 'unauthorized') return 'authentication_failed';
	if (kind === 'serverOverloaded' || kind === 'internalServerError' || (status ?? 0) >= 500) return 'server_error';
	if (kind === 'contextWindowExceeded') return 'context_window_exceeded';
	if (DISCONNECTED.has(kind)) return 'disconnected';
	return 'api_error';
}

const RATE_LIMITS: ReadonlySet<string> = new Set(['rateLimitExceeded', 'usageLimitExceeded', 'sessionBudgetExceeded']);
const DISCONNECTED: ReadonlySet<string> = new Set(['responseStreamDisconnected', 'responseStreamConnectionFailed']);

function statusOf(info: unknown): number | undefined {
	const inner = isJsonObject(info) ? Object.values(info)[0] : undefined;
	const status = isJsonObject(inner) ? inner.httpStatusCode : undefined;
	return typeof status === 'number' ? status : undefined;
}

/** Some messages are the raw body of the API's response. */
export function turnErrorText({ message }: Pick<NativeTurnError, 'message'>): string {
	const text = messagesInside(message) ?? message;
	return text.trim() === '' ? 'Codex reported an error without a message.' : text.trim();
}

function messagesInside(message: string): string | undefined {
	if (!message.trimStart().startsWith('{')) return undefined;
	const body = parseJson(message);
	const error = isJsonObject(body) ? body.error : undefined;
	return isJsonObject(error) ? stringAt(error, 'message') : undefined;
}

export function toExitReason(end: ProcessEnd, program: string, complaint: string): string {
	if (end.type === 'not-started')
		return `Codex could not be started (${end.message}): check that "${program}" is there, or set "agents.codex.command".`;
	const last = lastLine(complaint);
	const how = end.signal === null ? `with exit code ${end.code ?? 'unknown'}` : `by ${end.signal}`;
	return `Codex ended ${how}${last === '' ? '.' : `: ${last}`}`;
}

const NO_NEWS = /^WARNING: proceeding|could not find bubblewrap/;

/** The last relevant line of stderr, without colours and time. */
function lastLine(complaint: string): string {
	const lines = stripVTControlCharacters(complaint).split('\n');
	const reported = lines.map((line) => line.replace(/^\d{4}-\d\d-\d\dT\S+\s+(?:ERROR|WARN|INFO)\s+/, '').trim());
	return reported.findLast((line) => line !== '' && !NO_NEWS.test(line))?.slice(0, MAX_WORDS) ?? '';
}

const MAX_WORDS = 400;
