// The whole events of a row: the call with its input, the result, and who decided; read when the row is opened.
import { sanitiseBlock, sanitiseLine } from '@roost/core/display/sanitise';
import { toJson } from '@roost/core/display/to-json';
import { textAt } from '@roost/core/display/tools/fields';
import { responseText } from '@roost/core/display/tools/response-text';
import { failureWords } from '@roost/core/feed/plain-words';
import { decisionOutcome } from '@roost/core/views/decision-outcome';
import { ranWith } from '@roost/core/views/ran-with';
import type { RowEntry } from '@roost/core/views/row-list';
import { decidedBy } from '@roost/core/views/words';
import type { FeedEvent, FeedEventOf } from '@roost/protocol/feed/event';
import type { SessionId } from '@roost/protocol/ids';
import { ok } from '@roost/protocol/result';
import { Link } from 'wouter';
import { AskInput } from '../asks/ask-input.tsx';
import { useConnected } from '../data/use-connected.ts';
import { useRead } from '../data/use-read.ts';
import { NotRead } from '../parts/reading.tsx';
import styles from './feed.module.css';
import { Markdown } from './markdown.tsx';
import { ReviewCard } from './review-card.tsx';

export function RowDetails({ entry, sessionId }: { entry: RowEntry; sessionId: SessionId }) {
	const { api } = useConnected();
	const offsets = [entry.event, entry.result, entry.decision].flatMap((row) => (row ? [row.offset] : []));
	const read = useRead(`${sessionId} ${offsets.join(' ')}`, async () => {
		const lines = await Promise.all(offsets.map((offset) => api.feed.event({ id: sessionId, offset })));
		const failed = lines.find((line) => !line.ok);
		return failed && !failed.ok ? failed : ok(lines.flatMap((line) => (line.ok ? [line.value.event] : [])));
	});
	if (!read.value) return <NotRead {...read} />;
	return (
		<div className={styles.details}>
			<EventDetails events={read.value} />
			<Link href={`/s/${sessionId}/e/${entry.event.offset}`}>Open the whole event</Link>
		</div>
	);
}

/** An event with the ones that are joined to it. */
export function EventDetails({ events }: { events: readonly FeedEvent[] }) {
	const [event] = events;
	if (!event) return null;
	const result = events.find((one) => one.kind === 'tool.post' || one.kind === 'tool.failure');
	const decision = events.find((one) => one.kind === 'permission.decision');
	return (
		<>
			{decision ? <Decision event={decision} /> : null}
			{'tool_input' in event.data ? <Call data={event.data} result={result} /> : <Plain event={event} />}
		</>
	);
}

type CallData = FeedEventOf<'tool.pre' | 'permission.request'>['data'];
type Result = FeedEventOf<'tool.post' | 'tool.failure'>;

function Call({ data, result }: { data: Pick<CallData, 'tool_name' | 'tool_input'>; result: Result | undefined }) {
	const ran = ranWith(data.tool_input, result);
	return (
		<>
			<AskInput ask={{ tool: data.tool_name, input: data.tool_input }} />
			{ran ? (
				<>
					<p className={styles.note}>Changed before it ran:</p>
					<AskInput ask={{ tool: data.tool_name, input: { ...ran } }} />
				</>
			) : null}
			{result ? <Output result={result} /> : null}
		</>
	);
}

function Output({ result }: { result: Result }) {
	if (result.kind === 'tool.failure') {
		return <pre className={`${styles.output} ${styles.failure}`}>{sanitiseBlock(failureWords(result.data.error))}</pre>;
	}
	const text = outputText(result.data.tool_response);
	return text.trim() === '' ? (
		<p className={styles.note}>No output</p>
	) : (
		<pre className={styles.output}>{sanitiseBlock(text)}</pre>
	);
}

function outputText(response: unknown): string {
	const printed = [textAt(response, 'stdout'), textAt(response, 'stderr')].filter((text) => text);
	return printed.length > 0 ? printed.join('\n') : (responseText(response) ?? toJson(response));
}

function Decision({ event: { data } }: { event: FeedEventOf<'permission.decision'> }) {
	const { words, why } = decisionOutcome(data);
	return (
		<p className={styles.note}>
			{sanitiseLine([words, decidedBy(data)].join(' '))}
			{why ? `: ${sanitiseLine(why)}` : ''}
			{data.reason ? ` (${sanitiseLine(data.reason)})` : ''}
		</p>
	);
}

function Plain({ event }: { event: FeedEvent }) {
	if (event.kind === 'user.prompt') {
		const { prompt, review } = event.data;
		return review ? <ReviewCard review={review} /> : <Markdown text={prompt} />;
	}
	if (event.kind === 'agent.message') return <Markdown text={event.data.text} />;
	return <pre className={styles.output}>{sanitiseBlock(toJson(event.data))}</pre>;
}
