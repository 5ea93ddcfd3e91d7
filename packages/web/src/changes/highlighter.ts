// The worker that highlights code: started with the first request, and given up if it fails.
import { trustedScriptUrl } from '../device/trusted-urls.ts';
import type { HighlightReply, HighlightRequest, Token } from './highlight-messages.ts';
import workerUrl from './highlight-worker.ts?worker&url';
import type { Language } from './languages.ts';

export type LineTokens = readonly (readonly Token[])[];
type Pending = Map<number, (tokens: LineTokens | undefined) => void>;

const pending: Pending = new Map();
let worker: Worker | null | undefined;
let asked = 0;

/** Undefined if these lines stay plain. */
export function highlight(language: Language, lines: readonly string[]): Promise<LineTokens | undefined> {
	worker ??= start();
	const running = worker;
	if (!running) return Promise.resolve(undefined);
	const request: HighlightRequest = { id: ++asked, language, lines };
	return new Promise((resolve) => {
		pending.set(request.id, resolve);
		running.postMessage(request);
	});
}

function start(): Worker | null {
	try {
		const started = new Worker(trustedScriptUrl(workerUrl), { type: 'module' });
		started.onmessage = ({ data: { id, tokens } }: MessageEvent<HighlightReply>) => settle(id, tokens);
		started.onerror = (event) => {
			event.preventDefault();
			worker = null;
			for (const id of [...pending.keys()]) settle(id, undefined);
		};
		return started;
	} catch {
		return null;
	}
}

function settle(id: number, tokens: LineTokens | undefined): void {
	pending.get(id)?.(tokens);
	pending.delete(id);
}
