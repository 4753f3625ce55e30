"""What a storage and the HTTP service cost their users, in peace and under attack."""
