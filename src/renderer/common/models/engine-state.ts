import type { Tone } from '#renderer/styles/palette.ts';
import { ENGINE_STATES, type ModelStage } from '#shared/ai-models/ai-models.ts';

/** Colour of a state of an engine; its word stands in the catalogue. */
export function getEngineTone(status: number): Tone {
  switch (status) {
    case ENGINE_STATES.running:
      return 'good';
    case ENGINE_STATES.empty:
      return 'quiet';
    case ENGINE_STATES.initializing:
      return 'info';
    default:
      return 'bad';
  }
}

export function stageTone(stage: ModelStage): Tone {
  switch (stage) {
    case 'proved':
      return 'good';
    case 'failed':
      return 'bad';
    case 'waits-for-restart':
      return 'special';
    case 'when-seen':
      return 'warn';
    case 'waiting':
    case 'checked':
      return 'quiet';
    default:
      return 'info';
  }
}
