"""The typed records of a dataset and their JSON form."""
