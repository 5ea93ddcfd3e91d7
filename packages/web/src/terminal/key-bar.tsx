// Keys that a phone's keyboard lacks, below the screen. Shown where a finger points.
import { type PointerEvent, useState } from 'react';
import type { BarKey, Modifiers } from './bar-keys.ts';
import styles from './terminal.module.css';

/** `name`: where the sign cannot be read aloud. */
const KEYS: readonly (readonly [BarKey, sign: string, name?: string])[] = [
	['Esc', 'Esc'],
	['Tab', 'Tab'],
	['Shift-Tab', '⇧Tab', 'Shift Tab'],
	['Ctrl-C', '^C', 'Control C'],
	['Left', '←', 'Left'],
	['Up', '↑', 'Up'],
	['Down', '↓', 'Down'],
	['Right', '→', 'Right'],
];

const MODIFIERS = [
	['ctrl', 'Ctrl'],
	['alt', 'Alt'],
] as const;

type KeyBarProps = {
	/** False without control: then only copying works. */
	isOn: boolean;
	modifiers: Modifiers;
	onModifier(name: keyof Modifiers): void;
	onKey(key: BarKey): void;
	onPaste(text: string): void;
	/** For copying. */
	text(): string;
};

export function KeyBar({ isOn, modifiers, onModifier, onKey, onPaste, text }: KeyBarProps) {
	return (
		<div className={styles.keys} role="toolbar" aria-label="Terminal keys" onPointerDown={keepFocus}>
			{MODIFIERS.map(([name, label]) => (
				<button
					key={name}
					type="button"
					disabled={!isOn}
					aria-pressed={modifiers[name] !== 'off'}
					data-hold={modifiers[name]}
					onClick={() => onModifier(name)}
				>
					{label}
				</button>
			))}
			{KEYS.map(([key, sign, name]) => (
				<button key={key} type="button" disabled={!isOn} aria-label={name} onClick={() => onKey(key)}>
					{sign}
				</button>
			))}
			<ClipboardKeys isOn={isOn} onPaste={onPaste} text={text} />
		</div>
	);
}

/** The keyboard of the phone closes when the terminal loses the focus. */
function keepFocus(event: PointerEvent): void {
	event.preventDefault();
}

/** The clipboard is read and written only here and by the browser's own keys: never by a program. */
function ClipboardKeys({ isOn, onPaste, text }: Pick<KeyBarProps, 'isOn' | 'onPaste' | 'text'>) {
	const [problem, setProblem] = useState('');
	const [isCopied, setCopied] = useState(false);
	const failed = () => setProblem('This browser does not let the page use the clipboard.');
	return (
		<>
			<button type="button" disabled={!isOn} onClick={() => void navigator.clipboard.readText().then(onPaste, failed)}>
				Paste
			</button>
			<button type="button" onClick={() => void navigator.clipboard.writeText(text()).then(() => setCopied(true), failed)}>
				{isCopied ? 'Copied' : 'Copy'}
			</button>
			{problem === '' ? null : <p role="alert">{problem}</p>}
		</>
	);
}
