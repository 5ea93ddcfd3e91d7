// The whole events of a row: the call with its input, the result, and who decided; read when the row is opened.
import { sanitiseBlock, sanitiseLine } from '@roost/core/display/sanitise';
import { resultContent } from '@roost/core/display/tools/result-content';
import { wordedFields } from '@roost/core/display/worded-fields';
import { failureWords } from '@roost/core/feed/plain-words';
import { QUESTION_TOOL } from '@roost/core/runtime/normal-form/questions';
import { decisionSentence } from '@roost/core/views/decision-outcome';
import { ranWith } from '@roost/core/views/ran-with';
import type { RowEntry } from '@roost/core/views/row-list';
import type { FeedEvent, FeedEventOf } from '@roost/protocol/feed/event';
import { sessionOf } from '@roost/protocol/ids';
import { ok } from '@roost/protocol/result';
import { useRef } from 'react';
import { Link } from 'wouter';
import { AskInput } from '../asks/ask-input.tsx';
import { useScrollable } from '../asks/use-scrollable.ts';
import { useConnected } from '../data/use-connected.ts';
import { useRead } from '../data/use-read.ts';
import { LongText } from '../parts/long-text.tsx';
import { NotRead } from '../parts/reading.tsx';
import styles from './feed.module.css';
import { Markdown } from './markdown.tsx';
import { ReviewCard } from './review-card.tsx';

export function RowDetails({ entry }: { entry: RowEntry }) {
	const { api } = useConnected();
	// Rows of a continued session are of another one than the page.
	const sessionId = sessionOf(entry.event.event_id);
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
			{decision ? <p className={styles.note}>{sanitiseLine(decisionSentence(decision.data))}</p> : null}
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
			{data.tool_name === QUESTION_TOOL ? (
				<FieldList fields={{ questions: data.tool_input.questions }} />
			) : (
				<AskInput ask={{ tool: data.tool_name, input: data.tool_input }} />
			)}
			{ran && data.tool_name !== QUESTION_TOOL ? (
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
	const { data } = result;
	if (result.kind === 'tool.failure') return <Printed tone="bad">{failureWords(result.data.error)}</Printed>;
	const content = resultContent({ tool: data.tool_name, input: data.tool_input, response: result.data.tool_response });
	if (content.type === 'nothing') return null;
	if (content.type === 'fields') return <FieldList fields={content.fields} />;
	return content.text.trim() === '' ? <p className={styles.note}>No output</p> : <Printed>{content.text}</Printed>;
}

function Plain({ event }: { event: FeedEvent }) {
	if (event.kind === 'user.prompt') {
		const { prompt, review } = event.data;
		return review ? <ReviewCard review={review} /> : <Markdown text={prompt} />;
	}
	if (event.kind === 'agent.message') return <Markdown text={event.data.text} />;
	return <FieldList fields={event.data} />;
}

function FieldList({ fields }: { fields: object }) {
	return (
		<dl className={styles.fields}>
			{wordedFields(fields).map(({ place, name, text }) => (
				<div key={place}>
					<dt>{sanitiseLine(name)}</dt>
					<dd>
						<LongText>{sanitiseBlock(text)}</LongText>
					</dd>
				</div>
			))}
		</dl>
	);
}

/** Scrolls inside where it is long. */
function Printed({ children, tone }: { children: string; tone?: 'bad' }) {
	const box = useRef<HTMLPreElement>(null);
	useScrollable(box);
	return (
		<pre ref={box} className={styles.output} data-tone={tone}>
			{sanitiseBlock(children)}
		</pre>
	);
}
