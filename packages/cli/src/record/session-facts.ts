// Facts of a session that only its record has.
import type { TokenUsage } from '@roost/protocol/feed/conversation';
import { ok, type Result } from '@roost/protocol/result';
import type { SessionRow } from '@roost/protocol/session-row';
import { storedLine } from '@roost/protocol/stored-line';
import type { RecordReader } from './reader.ts';

const PAGE = 1_000;

/** How far back to search: agents report their usage with every response. */
const MOST_PAGES = 20;

export async function readLastUsage(
	{ read }: Pick<RecordReader, 'read'>,
	{ id, events }: SessionRow,
): Promise<Result<TokenUsage | null>> {
	for (let end = events, pages = 0; end > 0 && pages < MOST_PAGES; end -= PAGE, pages++) {
		const after = Math.max(0, end - PAGE);
		const page = await read(id, { after, limit: end - after });
		if (!page.ok) return page;
		const last = page.value.findLast(({ line }) => line.includes('"usage.update"') && usageOf(line));
		if (last) return ok(usageOf(last.line));
	}
	return ok(null);
}

/** Launch notices are among the first events of a session. */
const MOST_STARTING = 100;

export async function readLaunchNotices({ read }: Pick<RecordReader, 'read'>, { id }: SessionRow): Promise<Result<string[]>> {
	const page = await read(id, { after: 0, limit: MOST_STARTING });
	if (!page.ok) return page;
	const lines = page.value.filter(({ line }) => line.includes('"launch_notice"'));
	return ok(lines.flatMap(({ line }) => noticeOf(line)));
}

function noticeOf(line: string): string[] {
	const { event } = storedLine.parse(JSON.parse(line));
	return event.kind === 'notification' && event.data.notification_type === 'launch_notice' ? [event.data.message] : [];
}

function usageOf(line: string): TokenUsage | null {
	const { event } = storedLine.parse(JSON.parse(line));
	return event.kind === 'usage.update' ? event.data.total : null;
}
