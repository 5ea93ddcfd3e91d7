// Uses one tmux session as a person would: read the screen, press a key, paste text.
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import type { TerminalEnd } from '../terminal-process.ts';
import { isEndUnread, nudgeTmux, runTmux, type TmuxPlace, tellTmux, toEnd } from './run-tmux.ts';
import { toTmuxTarget } from './tmux-words.ts';

export type TmuxPane = {
	/** Null if the session is gone. */
	look(): Promise<Result<PaneLook | null>>;
	/** By tmux's key name: `Enter`, `Down`, `C-c`, `2`. */
	press(key: string): Promise<Result<void>>;
	/** As a bracketed paste, so that a line break does not submit it. */
	paste(text: string): Promise<Result<void>>;
};

/** The screen at one moment, and the end of its program. */
export type PaneLook = { screen: string; end?: TerminalEnd | undefined };

export function createTmuxPane(place: TmuxPlace, name: string): Result<TmuxPane> {
	const target = toTmuxTarget(name);
	if (!target.ok) return target;
	const to = ['-t', target.value] as const;

	async function isGone(): Promise<boolean> {
		const names = await runTmux(place, ['list-sessions', '-F', '#{session_name}']);
		// Without a server there is no session; a server that does not answer may still have it.
		return names.ok ? !names.value.split('\n').includes(name) : names.error.code !== 'timed_out';
	}

	async function lookOnce(): Promise<Result<PaneLook | null>> {
		const seen = await runTmux(place, ['display-message', '-p', ...to, END_FORMAT, ';', 'capture-pane', '-p', ...to]);
		if (!seen.ok) return (await isGone()) ? ok(null) : seen;
		return ok(parseLook(seen.value));
	}

	return ok({
		async look() {
			const seen = await lookOnce();
			if (!seen.ok || !isEndUnread(seen.value)) return seen;
			const nudged = await nudgeTmux(place);
			return nudged.ok ? await lookOnce() : seen;
		},
		async press(key) {
			if (!KEY.test(key)) return err(new AppError('bad_request', `${JSON.stringify(key)} is not a terminal key.`));
			return await tellTmux(place, ['send-keys', ...to, '--', key]);
		},
		async paste(text) {
			if (text.includes('\0')) return err(new AppError('bad_request', 'A terminal does not accept zero bytes. Remove them.'));
			const buffer = ['-b', `roost-${name}`] as const;
			const words = ['load-buffer', ...buffer, '-', ';', 'paste-buffer', '-dpr', ...buffer, ...to];
			return await tellTmux(place, words, text);
		},
	});
}

/** A key name or one plain character, with modifiers; nothing that tmux or a shell would interpret. */
const KEY = /^(?:[CMS]-)*(?:[A-Za-z][A-Za-z0-9]*|[0-9])$/;

const END_FORMAT = '#{pane_dead},#{pane_dead_status},#{pane_dead_signal}';

function parseLook(seen: string): PaneLook {
	const at = seen.indexOf('\n');
	const [dead, status, signal] = seen.slice(0, at).split(',');
	return { screen: seen.slice(at + 1), end: toEnd(dead, status, signal) };
}
