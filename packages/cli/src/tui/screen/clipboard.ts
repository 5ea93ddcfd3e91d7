// Writes to the clipboard through the terminal; never reads it.
import { spawn } from 'node:child_process';
import { withoutRoost } from '@roost/core/runtime/child-environment';

/** Resolves with the outcome as a sentence. */
export type Copy = (text: string) => Promise<string>;

/** Terminals drop longer texts. */
const LONGEST = 100_000;

export function createCopy(deps: { write: (bytes: string) => void; env: NodeJS.ProcessEnv }): Copy {
	return async (text) => {
		if (text === '') return 'Nothing to copy.';
		if (deps.env.TMUX && (await loadTmuxBuffer(text, deps.env))) return 'Copied, also into the buffer of tmux.';
		const encoded = Buffer.from(text).toString('base64');
		if (encoded.length > LONGEST) return 'This is too long for the clipboard of a terminal: use "roost export" instead.';
		deps.write(`\x1b]52;c;${encoded}\x07`);
		return 'Copied.';
	};
}

/** tmux ignores clipboard writes of programs by default, but forwards its own buffer. */
function loadTmuxBuffer(text: string, env: NodeJS.ProcessEnv): Promise<boolean> {
	return new Promise((resolve) => {
		const tmux = spawn('tmux', ['load-buffer', '-w', '-'], { env: withoutRoost(env), stdio: ['pipe', 'ignore', 'ignore'] });
		tmux.once('error', () => resolve(false));
		tmux.once('close', (code) => resolve(code === 0));
		tmux.stdin.on('error', () => undefined);
		tmux.stdin.end(text);
	});
}
