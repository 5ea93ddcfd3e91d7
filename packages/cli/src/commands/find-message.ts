// The message that a fork ends with, as people name it: by its offset in the feed, or by the agent's own id of it.
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { storedLine } from '@roost/protocol/stored-line';
import { calledAs } from '../output/called-as.ts';
import { readOnRecord } from './on-record.ts';

/** The agent's own id of it. */
export async function findMessage(session: string, given: string): Promise<Result<string>> {
	return await readOnRecord(session, (store, { id }, { readStream }) => {
		for (const page of readStream(store, id, 0)) {
			if (!page.ok) return page;
			for (const { offset, line } of page.value) {
				const nativeId = nativeIdOf(line);
				if (nativeId !== undefined && (nativeId === given || String(offset) === given)) return ok(nativeId);
			}
		}
		const listed = `"${calledAs()} feed ${id} --kind agent.message --json" has the offset and the native_id of each`;
		return err(new AppError('not_found', `There is no message "${given}" of its agent that a fork could end with: ${listed}.`));
	});
}

/** Undefined for what is no message of the agent, or one that it has no id of. */
function nativeIdOf(line: string): string | undefined {
	if (!line.includes('"agent.message"')) return undefined;
	const { event } = storedLine.parse(JSON.parse(line));
	return event.kind === 'agent.message' ? event.data.native_id : undefined;
}
