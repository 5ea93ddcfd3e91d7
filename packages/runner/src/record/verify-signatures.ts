// The signatures that facts keep: each must be of the device that it names, and of what its fact says.
import { parseJson } from '@roost/core/display/parse-json';
import { type ProofPlace, proofOf, whyNotProven } from '@roost/core/hub/proven-fact';
import { sha256 } from '@roost/machine/sha256';
import { isSignedBy } from '@roost/machine/signing-key';
import type { FeedEvent } from '@roost/protocol/feed/event';
import { type AskId, type StreamId, sessionId } from '@roost/protocol/ids';
import { ok, type Result } from '@roost/protocol/result';
import { storedLine } from '@roost/protocol/stored-line';
import type { Store } from '@roost/store/store';
import { readStream } from './record.ts';

const CRYPTO = { hash: sha256, isSignedBy };

/** One sentence for each forged fact, up to a limit. */
export function findForged(store: Store, streams: readonly StreamId[]): Result<string[]> {
	const problems: string[] = [];
	for (const stream of streams) {
		const found = forgedIn(store, stream);
		if (!found.ok) return found;
		problems.push(...found.value);
	}
	const more = problems.length > MOST_PROBLEMS ? ['There are more forged facts.'] : [];
	return ok([...problems.slice(0, MOST_PROBLEMS), ...more]);
}

const MOST_PROBLEMS = 20;

function forgedIn(store: Store, stream: StreamId): Result<string[]> {
	const problems: string[] = [];
	const questions = new Map<AskId, readonly string[]>();
	for (const page of readStream(store, sessionId.parse(stream), 0)) {
		if (!page.ok) return page;
		for (const { line, offset } of page.value) {
			if (!MARKS.some((mark) => line.includes(mark))) continue;
			const why = judge(line, questions);
			if (why !== undefined) problems.push(`Stream ${stream}: event ${offset} is forged: ${why}.`);
		}
	}
	return ok(problems);
}

/** Of lines that are worth parsing. */
const MARKS = ['"signed":', '@hub:', '"question.request"'];

function judge(line: string, questions: Map<AskId, readonly string[]>): string | undefined {
	const read = storedLine.safeParse(parseJson(line));
	// Other checks report a line that is no event.
	if (!read.success) return line.includes('"signed":{') ? 'its signature cannot be read' : undefined;
	const { event, runnerId } = read.data;
	if (event.kind === 'question.request' && event.data.ask_id)
		questions.set(
			event.data.ask_id,
			event.data.questions.map(({ question }) => question),
		);
	const proof = proofOf(event);
	const place: ProofPlace = { runner: runnerId, questionsOf: (ask) => (ask && questions.get(ask)) ?? [] };
	if (proof) return whyNotProven(event, proof, place, CRYPTO);
	return isByDevice(event) ? 'it names a device behind a hub, and has no signature' : undefined;
}

function isByDevice({ data }: FeedEvent): boolean {
	return 'principal' in data && /@hub:[a-z0-9]{16}$/.test(data.principal ?? '');
}
