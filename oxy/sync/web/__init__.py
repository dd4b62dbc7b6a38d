"""An exchange over HTTP: who asks, and who answers (spec: sync, SY70 to SY75)."""
