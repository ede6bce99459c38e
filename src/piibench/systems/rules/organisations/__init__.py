"""ORG: companies, schools, agencies, charities, clinics."""
