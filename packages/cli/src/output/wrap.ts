// Breaks a sentence into lines between words; a word that is longer than a line stays whole, so that it can be copied.

export function wrap(sentence: string, width: number): string[] {
	const lines: string[] = [];
	let line = '';
	for (const word of sentence.split(' ')) {
		if (line !== '' && line.length + 1 + word.length > width) {
			lines.push(line);
			line = word;
		} else line = line === '' ? word : `${line} ${word}`;
	}
	return [...lines, line];
}
