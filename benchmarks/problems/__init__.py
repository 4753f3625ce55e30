"""What is optimised: functions, exact or with noise, mixed spaces, functions that fail, and real trainings."""
