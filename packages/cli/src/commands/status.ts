// roost status: run often, by users and scripts, so it loads as little as possible.
import { age } from '@roost/core/display/age';
import { AppError } from '@roost/protocol/app-error';
import { reportOldConfig, unwrap } from '../output/exit.ts';
import { print } from '../output/print.ts';
import { nodeFetch } from '../runner/node-transport.ts';
import { reachRunner } from '../runner/reach.ts';

type StatusOptions = { json?: boolean; link?: boolean };

export async function status(options: StatusOptions): Promise<void> {
	const reached = unwrap(await reachRunner({ env: process.env }));
	if (!reached && options.link)
		throw new AppError('cannot_start', 'No runner is up: start one with "roost up --detach", which prints a link.');
	if (!reached) return await print(options, null, ['No runner is up. Commands that need one start it.']);
	const { baseUrl, running, hasOldConfig } = reached;
	const link = options.link ? await linkHere() : undefined;
	await print(options, { ...running, link }, [
		`The runner is up at ${baseUrl} (process ${running.pid}, version ${running.version}, for ${age(running.startedAt, Date.now())}).`,
		...(link ? [`Open it in a browser within 30 seconds, once:\n  ${link.url}`] : []),
	]);
	if (hasOldConfig) reportOldConfig();
	const silence = await findSilence(baseUrl);
	if (silence === null) return;
	throw new AppError('cannot_start', `The runner does not answer (${silence}). Run "roost down", then "roost up --detach".`);
}

async function linkHere(): Promise<{ url: string; expiresAt: number }> {
	const { connectToDecide } = await import('../runner/connect.ts');
	const { makeLink } = await import('../runner/login-link.ts');
	const connected = unwrap(await connectToDecide('status --link', { start: false }));
	if (!connected) throw new AppError('cannot_start', 'The runner has stopped. Start it with "roost up".');
	return await makeLink(connected);
}

/** Why the runner does not answer; null if it does. */
async function findSilence(baseUrl: string): Promise<string | null> {
	try {
		const { status } = await nodeFetch(`${baseUrl}/healthz`, { method: 'GET', headers: {} });
		return status === 200 ? null : `its health is ${status}`;
	} catch (cause) {
		return cause instanceof Error ? cause.message : String(cause);
	}
}
