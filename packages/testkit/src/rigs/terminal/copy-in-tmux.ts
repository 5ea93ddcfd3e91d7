// Copies a text as the terminal UI does inside tmux.
import { createCopy } from '@roost/cli/tui/screen/clipboard';

export function copyInTmux(text: string, env: NodeJS.ProcessEnv): Promise<string> {
	return createCopy({ write() {}, env: { ...env, TMUX: 'yes' } })(text);
}
