import { ref, type Ref } from 'vue';

const message = ref('');

/** Text for people who listen: read out politely by the shell's live region. */
export function announce(text: string): void {
  // The same text twice is silent in a live region; a trailing no-break space makes it new.
  message.value = message.value === text ? `${text}\u00a0` : text;
}

export function useAnnouncements(): Readonly<Ref<string>> {
  return message;
}
