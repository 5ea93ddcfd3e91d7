// A text that arrives in pieces: text is released only once no secret can include it, whatever the next piece contains.
import { findSecrets } from './find-secrets.ts';

export type TextStream = {
	/** Adds a piece; returns the text that may be shown now, not yet redacted. */
	add(piece: string): string;
	/** Returns the rest. */
	end(): string;
};

/** Beyond this size nothing is shown before the end: each piece would cost a search of the whole buffer. */
const MOST_HELD = 64 * 1024;
const SEARCHED_AT_ONCE = 2048;

export function createTextStream(): TextStream {
	let held = '';
	let searched = 0;

	/** A large buffer is searched again only after it has grown by a quarter. */
	function isWorthSearching(piece: string): boolean {
		if (held.length > MOST_HELD || !/\s/.test(piece)) return false;
		return held.length < SEARCHED_AT_ONCE || held.length > searched * 1.25;
	}

	return {
		add(piece) {
			held += piece;
			if (!isWorthSearching(piece)) return '';
			const end = endOfSafe(held);
			const shown = held.slice(0, end);
			held = held.slice(end);
			searched = held.length;
			return shown;
		},
		end() {
			const rest = held;
			held = '';
			return rest;
		},
	};
}

/** Words that may introduce a secret later in the line. */
const LEADS =
	/pass|pwd|_pw|secret|token|cred|key|auth|jwt|cookie|conn|session|bearer|basic|curl|wget|sshpass|login|mysql|mariadb|redis|mongo|ldap|smbclient|mosquitto|zip|7za?\b|openssl|xfreerdp|\bname["']?\s{0,4}[:=]|net use|docker|podman|buildah|skopeo|nerdctl|helm|\b(?:az|oc|cf|ibmcloud|acorn)\b|echo|:\/\/|identified|machine|default|BEGIN|PuTTY|sig=|https? /i;
/** A line that continues on the next one. */
const CONTINUES =
	/[:=>|\\]\s{0,8}$|^\s{0,16}(?:machine|login|account|default|password)\b|\bname["']?\s{0,4}[:=]|[A-Za-z0-9+/_-]{60,76}\s{0,8}$/i;
const LINE_LOOKED_AT = 4096;

/** The end of the safe part: after a space that is in no secret, and without a word before it that could introduce one. */
export function endOfSafe(text: string): number {
	const spans = findSecrets(text);
	let end = afterSpace(text, text.length);
	while (end > 0) {
		const limit = end;
		const span = spans.find(({ start, end: spanEnd }) => start < limit && spanEnd >= limit - 1);
		const back = span ? span.start : leadBefore(text, end);
		if (back === undefined) return end;
		const next = afterSpace(text, back);
		end = next < end ? next : 0;
	}
	return 0;
}

/** Where a word starts that may introduce a secret after `end`. */
function leadBefore(text: string, end: number): number | undefined {
	const lineStart = end === 0 ? 0 : text.lastIndexOf('\n', end - 1) + 1;
	const line = text.slice(Math.max(lineStart, end - LINE_LOOKED_AT), end);
	const lead = LEADS.exec(line);
	if (lead) return end - line.length + lead.index;
	if (lineStart === 0) return undefined;
	const before = lineStart === 1 ? 0 : text.lastIndexOf('\n', lineStart - 2) + 1;
	return CONTINUES.test(text.slice(before, lineStart).slice(-LINE_LOOKED_AT)) ? before : undefined;
}

function afterSpace(text: string, from: number): number {
	let at = from;
	while (at > 0 && !isSpace(text.charCodeAt(at - 1))) at--;
	return at;
}

function isSpace(code: number): boolean {
	return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}
