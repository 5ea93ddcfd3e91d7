// How Roost's own tmux server behaves: it draws nothing of its own, takes no keys for itself, and keeps what ended until it was read.

/** For servers that do not know an option yet, `-q` passes over it. */
export function serverOptions(scrollbackLines: number): readonly (readonly string[])[] {
	return [
		...globals({
			status: 'off',
			prefix: 'None',
			prefix2: 'None',
			mouse: 'off',
			'history-limit': `${scrollbackLines}`,
			'default-shell': '/bin/sh',
			'default-terminal': TERM_INSIDE,
			'update-environment': '',
			'destroy-unattached': 'off',
			'detach-on-destroy': 'on',
			'lock-after-time': '0',
			'assume-paste-time': '0',
			'visual-bell': 'off',
			'set-titles': 'off',
			'window-size': 'latest',
			'aggressive-resize': 'off',
			'allow-rename': 'off',
			'remain-on-exit': 'on',
			'remain-on-exit-format': '',
			'monitor-activity': 'off',
			'allow-passthrough': 'off',
		}),
		['set-option', '-sq', 'escape-time', '0'],
		['set-option', '-sq', 'focus-events', 'off'],
		['set-option', '-sq', 'set-clipboard', 'off'],
		// Without a second screen on the outside, what scrolls away stays in the viewer's scrollback.
		['set-option', '-sq', 'terminal-overrides', '*:smcup@:rmcup@'],
		['set-option', '-sq', 'terminal-features', 'xterm*:RGB:ccolour:cstyle:bpaste:strikethrough:usstyle'],
		['unbind-key', '-qaT', 'root'],
		['unbind-key', '-qaT', 'prefix'],
	];
}

/** What programs inside are told about their terminal; known to every machine, which `tmux-256color` is not. */
export const TERM_INSIDE = 'screen-256color';

function globals(options: Readonly<Record<string, string>>): readonly (readonly string[])[] {
	return Object.entries(options).map(([name, value]) => ['set-option', '-gq', name, value]);
}
