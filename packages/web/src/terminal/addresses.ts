// Web addresses in the output of a program.

/** Only these can be opened from a terminal. */
export function isWebAddress(address: string): boolean {
	const protocol = URL.parse(address)?.protocol;
	return protocol === 'http:' || protocol === 'https:';
}

const ADDRESS = /\bhttps?:\/\/[^\s<>"'`]+/g;

/** `at` counts characters. Punctuation at the end belongs to the sentence. */
export function findAddresses(line: string): { address: string; at: number }[] {
	return [...line.matchAll(ADDRESS)]
		.map(({ 0: found, index }) => ({ address: found.replace(/[.,;:!?)\]}]+$/, ''), at: index }))
		.filter(({ address }) => isWebAddress(address));
}
